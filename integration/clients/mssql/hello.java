// Enqueues a task. Maven: com.microsoft.sqlserver:mssql-jdbc
import java.sql.DriverManager;
import java.sql.Types;

class hello {
    public static void main(String[] args) throws Exception {
        var e = System.getenv();
        var url = "jdbc:sqlserver://" + e.get("HOST") + ":" + e.get("PORT") + ";databaseName=" + e.get("DATABASE") + ";trustServerCertificate=true";
        try (var db = DriverManager.getConnection(url, e.get("USER"), e.get("PASSWORD")); // autocommit is on
                var call = db.prepareCall("EXEC dbsched.ExecAsync @SQL = ?, @ExecutionOrder = ?, @TaskId = ?")) {
            call.setQueryTimeout(30); // seconds
            call.setNString(1, "EXEC dbo.LoadOrders");
            call.setInt(2, 100);
            call.registerOutParameter(3, Types.BIGINT);
            call.execute();
            System.out.println("task " + call.getLong(3));

            db.setAutoCommit(false); // with your own work in one transaction: both or nothing
            db.createStatement().execute("CREATE TABLE dbo.Orders (Id int)");
            call.setNString(1, "SELECT COUNT(*) FROM dbo.Orders");
            call.setInt(2, 200);
            call.execute();
            db.commit();
        }
    }
}
