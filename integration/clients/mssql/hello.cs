// Enqueues a task. dotnet add package Microsoft.Data.SqlClient
using System;
using System.Data;
using Microsoft.Data.SqlClient;

string Env(string name) => Environment.GetEnvironmentVariable(name);
using var db = new SqlConnection(
    $"Server={Env("HOST")},{Env("PORT")};Database={Env("DATABASE")};User Id={Env("USER")};Password={Env("PASSWORD")};TrustServerCertificate=true");
db.Open();

long Enqueue(string sql, int order, SqlTransaction transaction)
{
    using var call = new SqlCommand("dbsched.ExecAsync", db, transaction) { CommandType = CommandType.StoredProcedure, CommandTimeout = 30 }; // seconds
    call.Parameters.Add("@SQL", SqlDbType.NVarChar, -1).Value = sql;
    call.Parameters.Add("@ExecutionOrder", SqlDbType.Int).Value = order;
    var task = call.Parameters.Add("@TaskId", SqlDbType.BigInt);
    task.Direction = ParameterDirection.Output;
    call.ExecuteNonQuery();
    return (long)task.Value;
}

Console.WriteLine($"task {Enqueue("EXEC dbo.LoadOrders", 100, null)}");

using var transaction = db.BeginTransaction(); // with your own work in one transaction: both or nothing
using (var work = new SqlCommand("CREATE TABLE dbo.Orders (Id int)", db, transaction)) work.ExecuteNonQuery();
Enqueue("SELECT COUNT(*) FROM dbo.Orders", 200, transaction);
transaction.Commit();
