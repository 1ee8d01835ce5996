-- Procedure: {{.Lane.Name}}_Activated
-- Purpose: What Service Broker activates on the queue {{.Lane.Name}}, as the owner of the schema: the worker of lane {{.Lane.ID}}.
-- Access: private
-- Parameters: none
-- Errors: none of its own
-- Example: none; Service Broker calls it
CREATE OR ALTER PROCEDURE {{.Schema}}.{{.Lane.Name}}_Activated
AS
BEGIN
    EXEC {{.Schema}}.RunLane @LaneId = {{.Lane.ID}};
END;
