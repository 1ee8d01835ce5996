-- Procedure: {{.Lane.Name}}_Activated
-- Purpose: The worker of lane {{.Lane.ID}}. Service Broker activates it on the queue {{.Lane.Name}}, as the owner of the schema.
-- Access: private
CREATE OR ALTER PROCEDURE {{.Schema}}.{{.Lane.Name}}_Activated
AS
BEGIN
    EXEC {{.Schema}}.RunLane @LaneId = {{.Lane.ID}};
END;
