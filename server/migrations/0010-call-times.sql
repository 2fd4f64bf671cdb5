-- When a call began to wait for a line, and when the phone began to ring: the timeline of a call shows every step.
alter table calls add column queued_at timestamptz(3), add column ringing_at timestamptz(3);
