// Enqueues a task. Maven: com.oracle.database.jdbc:ojdbc11
import java.sql.DriverManager;
import java.sql.Types;

class hello {
    public static void main(String[] args) throws Exception {
        var e = System.getenv();
        var url = "jdbc:oracle:thin:@//" + e.get("HOST") + ":" + e.get("PORT") + "/" + e.get("DATABASE");
        try (var db = DriverManager.getConnection(url, e.get("USER"), e.get("PASSWORD")); // autocommit is on
                var call = db.prepareCall("BEGIN dbsched.exec_async(in_sql => ?, in_execution_order => ?, out_task_id => ?); END;")) {
            call.setQueryTimeout(30); // seconds
            call.setString(1, "begin load_orders; end;");
            call.setInt(2, 100);
            call.registerOutParameter(3, Types.BIGINT);
            call.execute();
            System.out.println("task " + call.getLong(3));

            db.setAutoCommit(false); // with your own work in one transaction: both or nothing
            db.createStatement().execute("INSERT INTO orders (id) VALUES (3)");
            call.setString(1, "begin bill_orders; end;");
            call.setInt(2, 200);
            call.execute();
            db.commit();
        }
    }
}
