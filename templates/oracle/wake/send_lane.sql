    procedure send_now is
    begin
        enqueue('WAKE_Q', null);
    end send_now;

    procedure send_lane (in_lane_id in number) is
    begin
        enqueue('LANE_Q', 'L' || to_char(in_lane_id));
    end send_lane;
