package catalog

import "slices"

// grantViews registers the views about privileges.
func (c *Catalog) grantViews() {
	const rest = ", PRIVILEGE VARCHAR2(40), GRANTABLE VARCHAR2(3), HIERARCHY VARCHAR2(3), COMMON VARCHAR2(3), TYPE VARCHAR2(24), INHERITED VARCHAR2(3)"
	const columns = "GRANTEE VARCHAR2(128), OWNER VARCHAR2(128), TABLE_NAME VARCHAR2(128), GRANTOR VARCHAR2(128)" + rest
	rows := func(v *viewer) {
		for o, g := range v.objectGrants() {
			v.emit(g.Grantee, o.Owner, o.Name, g.Grantor, g.Privilege, yesNo(g.Grantable), "NO", "NO", string(o.Kind), "NO")
		}
	}
	c.single("USER_TAB_PRIVS", columns, ofUser, rows)
	c.single("DBA_TAB_PRIVS", columns, ofDBA, rows)
	c.single("ALL_TAB_PRIVS", "GRANTOR VARCHAR2(128), GRANTEE VARCHAR2(128), TABLE_SCHEMA VARCHAR2(128), TABLE_NAME VARCHAR2(128)"+rest, ofAll,
		func(v *viewer) {
			for o, g := range v.objectGrants() {
				v.emit(g.Grantor, g.Grantee, o.Owner, o.Name, g.Privilege, yesNo(g.Grantable), "NO", "NO", string(o.Kind), "NO")
			}
		})

	system := func(v *viewer) {
		for u := range v.grantees() {
			for _, g := range u.System {
				v.emit(u.Name, g.Privilege, yesNo(g.Admin), "NO", "NO")
			}
		}
	}
	c.single("USER_SYS_PRIVS", "USERNAME VARCHAR2(128), PRIVILEGE VARCHAR2(40), ADMIN_OPTION VARCHAR2(3), COMMON VARCHAR2(3), INHERITED VARCHAR2(3)",
		ofUser, system)
	c.single("DBA_SYS_PRIVS", "GRANTEE VARCHAR2(128), PRIVILEGE VARCHAR2(40), ADMIN_OPTION VARCHAR2(3), COMMON VARCHAR2(3), INHERITED VARCHAR2(3)",
		ofDBA, system)

	roles := func(v *viewer) {
		for u := range v.grantees() {
			for _, g := range u.Roles {
				v.emit(u.Name, g.Role, yesNo(g.Admin), "NO", "YES", "NO", "NO")
			}
		}
	}
	const roleColumns = "GRANTED_ROLE VARCHAR2(128), ADMIN_OPTION VARCHAR2(3), DELEGATE_OPTION VARCHAR2(3), DEFAULT_ROLE VARCHAR2(3), " +
		"COMMON VARCHAR2(3), INHERITED VARCHAR2(3)"
	c.single("USER_ROLE_PRIVS", "USERNAME VARCHAR2(128), "+roleColumns, ofUser, roles)
	c.single("DBA_ROLE_PRIVS", "GRANTEE VARCHAR2(128), "+roleColumns, ofDBA, roles)
	c.single("DBA_ROLES", "ROLE VARCHAR2(128), ROLE_ID NUMBER", ofDBA, func(v *viewer) {
		for u := range v.Catalog.Users() {
			if u.Role && u.Name != Public {
				v.emit(u.Name, u.ID)
			}
		}
	})
	c.single("SESSION_PRIVS", "PRIVILEGE VARCHAR2(40)", ofUser, func(v *viewer) {
		for _, p := range v.Catalog.SessionPrivileges(v.Rights) {
			v.emit(p)
		}
	})
	c.single("SESSION_ROLES", "ROLE VARCHAR2(128)", ofUser, func(v *viewer) {
		for _, r := range v.Catalog.SessionRoles(v.Rights) {
			v.emit(r)
		}
	})
}

// objectGrants yields the grants that the view shows: USER_ views show those that the reader granted, received, or that are on their
// objects; ALL_ views also those that their roles and PUBLIC received.
func (v *viewer) objectGrants() func(yield func(*Object, ObjectGrant) bool) {
	me := []string{v.User}
	if v.scope == ofAll {
		me = append(me, Public)
		me = append(me, v.Catalog.SessionRoles(v.Rights)...)
	}
	return func(yield func(*Object, ObjectGrant) bool) {
		for _, g := range v.Catalog.grants.Items() {
			o := v.Catalog.granted(g)
			if o == nil { // a job that was dropped
				continue
			}
			if v.scope == ofDBA || slices.Contains(me, g.Grantee) || g.Grantor == v.User || o.Owner == v.User {
				if v.ended || !yield(o, g) {
					return
				}
			}
		}
	}
}

// grantees yields the grantees: USER_ views show the reader's and PUBLIC's.
func (v *viewer) grantees() func(yield func(*User) bool) {
	return func(yield func(*User) bool) {
		for u := range v.Catalog.Users() {
			if v.scope == ofDBA || u.Name == v.User || u.Name == Public {
				if v.ended || !yield(u) {
					return
				}
			}
		}
	}
}

// userViews registers the views about users.
func (c *Catalog) userViews() {
	rows := func(v *viewer) {
		for u := range v.Catalog.Users() {
			if u.Role || v.scope == ofUser && u.Name != v.User {
				continue
			}
			status := which(u.Expired, "EXPIRED", "OPEN")
			if u.Locked {
				status = which(u.Expired, "EXPIRED & LOCKED", "LOCKED")
			}
			v.emit(u.Name, u.ID, status, u.DefaultTablespace, "TEMP", u.Created, flag(u.Name == Sys || u.Name == "SYSTEM"))
		}
	}
	const columns = "USERNAME VARCHAR2(128), USER_ID NUMBER, ACCOUNT_STATUS VARCHAR2(32), DEFAULT_TABLESPACE VARCHAR2(30), " +
		"TEMPORARY_TABLESPACE VARCHAR2(30), CREATED DATE, ORACLE_MAINTAINED VARCHAR2(1)"
	c.single("USER_USERS", columns, ofUser, rows)
	c.single("DBA_USERS", columns, ofDBA, rows)
	c.single("ALL_USERS", "USERNAME VARCHAR2(128), USER_ID NUMBER, CREATED DATE, ORACLE_MAINTAINED VARCHAR2(1)", ofAll, func(v *viewer) {
		for u := range v.Catalog.Users() {
			if !u.Role {
				v.emit(u.Name, u.ID, u.Created, flag(u.Name == Sys || u.Name == "SYSTEM"))
			}
		}
	})
	// Jobs of DBMS_JOB, which is not modeled.
	c.single("USER_JOBS", "JOB NUMBER, LOG_USER VARCHAR2(128), PRIV_USER VARCHAR2(128), SCHEMA_USER VARCHAR2(128), LAST_DATE DATE, LAST_SEC VARCHAR2(8), "+
		"THIS_DATE DATE, THIS_SEC VARCHAR2(8), NEXT_DATE DATE, NEXT_SEC VARCHAR2(8), TOTAL_TIME NUMBER, BROKEN VARCHAR2(1), INTERVAL VARCHAR2(200), "+
		"FAILURES NUMBER, WHAT VARCHAR2(4000), NLS_ENV VARCHAR2(4000), MISC_ENV RAW(32), INSTANCE NUMBER", ofUser, func(*viewer) {})
	quotas := "TABLESPACE_NAME VARCHAR2(30), USERNAME VARCHAR2(128), BYTES NUMBER, MAX_BYTES NUMBER, BLOCKS NUMBER, MAX_BLOCKS NUMBER, DROPPED VARCHAR2(3)"
	quotaRows := func(v *viewer) {
		for u := range v.Catalog.Users() {
			if v.scope == ofUser && u.Name != v.User {
				continue
			}
			for _, t := range u.Quotas {
				v.emit(t, u.Name, 0, -1, 0, -1, "NO")
			}
		}
	}
	all := parseColumns(quotas)
	c.view("USER_TS_QUOTAS", slices.Delete(parseColumns(quotas), 1, 2), ofUser, []int{0, 2, 3, 4, 5, 6}, quotaRows)
	c.view("DBA_TS_QUOTAS", all, ofDBA, nil, quotaRows)
}
