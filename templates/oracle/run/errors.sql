    function transaction_ended (in_transaction in varchar2) return boolean is
    begin
        return nvl(dbms_transaction.local_transaction_id, 'none') <> in_transaction;
    end transaction_ended;

    -- Whether the server, not the task, caused an error. 63300 and 63302: rolled back for a transaction of higher priority. 2020: too many
    -- database links are open, those of earlier tasks too, unless this task is the first of its session: in_module. Before the first statement
    -- also no free session or process, a start or shutdown of the database, no memory (Error Help).
    function not_its_fault (in_stack in varchar2, in_module in varchar2, in_step in varchar2) return boolean is
    begin
        return regexp_like(in_stack, 'ORA-6330(0|2)') or (instr(in_stack, 'ORA-02020') > 0 and in_module = 'dbsched')
            or (in_step = 'Parse' and regexp_like(in_stack, 'ORA-(00018|00020|01033|01089|04030|04031)'));
    end not_its_fault;

    -- What an error means for the attempt, before anything is rolled back. io_renew: Y = the session cannot run another task.
    procedure judge_error (
        in_step in varchar2, in_transactional in varchar2, in_transaction in varchar2, in_module in varchar2,
        io_number in out number, io_message in out varchar2, out_outcome out varchar2, io_renew in out varchar2) is
    begin
        out_outcome := 'Failed';

        if in_step = 'Start' or not_its_fault(io_message, in_module, in_step) then
            out_outcome := case when in_step in ('Start', 'Parse') or in_transactional = 'Y' then 'Outage' else 'Orphaned' end;
            io_renew := 'Y';
        elsif in_step = 'Refuse' then
            out_outcome := 'Final';
        elsif in_step = 'Run' and transaction_ended(in_transaction) then
            out_outcome := 'Final';
            io_number := 20035;
            io_message := substrb('dbsched 20035: a transactional task must neither end nor replace its transaction. It ended with: '
                || io_message, 1, 4000);
        elsif in_step = 'Complete' then
            -- Not the task's fault, and nothing of the task remains: handled as if its worker had died.
            out_outcome := 'Orphaned';
        end if;

        -- The state of packages was discarded: a new session has new state.
        if io_number in (4061, 4065, 4068, 6508) then
            io_renew := 'Y';
        end if;
    end judge_error;
