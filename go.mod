module github.com/dbsched/dbsched

go 1.26
