-- A call row is its own job: no queue beside it that could disagree. No foreign keys: agents and organisations are
-- never deleted, and the insert joins the agent anyway.
create table calls (
  call_id text primary key,
  organisation_id text not null,
  agent_id text not null,
  status text not null check (status in ('scheduled', 'queued', 'initiated', 'ringing', 'in_progress', 'completed',
    'failed', 'cancelled', 'disallowed')),
  direction text not null check (direction in ('outbound', 'inbound')),
  source text not null check (source in ('api', 'hook', 'dashboard', 'retry', 'callback', 'inbound')),
  contact_number text not null,
  contact_name text,
  contact_email text,
  preferred_language text,
  additional_info jsonb,
  -- The line it waits for and uses; set when it is queued.
  phone_number_id text,
  -- The node that has it in the air. Only that node may move it, until the node's own lease has run out.
  lease_owner text,
  -- 1 for the first call, 2 for its first retry.
  attempt int not null default 1,
  -- The call this one was made for (a retry or a callback), and the one made for this one.
  follows_call_id text,
  scheduled_call_id text,
  scheduled_at timestamptz(3),
  triggered_at timestamptz(3),
  answered_at timestamptz(3),
  completed_at timestamptz(3),
  cancelled_at timestamptz(3),
  duration_seconds int,
  ending text,
  credits_consumed int,
  analytics jsonb,
  extracted_details jsonb,
  -- Set from the end of a completed call until call.completed is written: by then, with or without analysis.
  outcome_due_at timestamptz(3),
  error_code text,
  error_message text,
  -- Leads from an erased call to its remembered answer.
  idempotency_key_hash bytea,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
) with (fillfactor = 80);
-- Dead versions of busy rows are cleaned away early: they slow the claim.
alter table calls set (autovacuum_vacuum_scale_factor = 0.02);
-- Narrow on purpose: every call is written into each of these.
create index calls_newest on calls (organisation_id, created_at);
create index calls_by_contact on calls (contact_number);
-- What is still to be dialled, what waits for a line, what is in the air, what still owes its outcome.
create index calls_due on calls (scheduled_at) where status = 'scheduled';
create index calls_waiting on calls (phone_number_id, scheduled_at) where status = 'queued';
create index calls_in_the_air on calls (phone_number_id) where status in ('initiated', 'ringing', 'in_progress');
create index calls_owing_outcome on calls (outcome_due_at) where outcome_due_at is not null;

-- Written while the call runs, so that people can follow it.
create table call_utterances (
  call_id text not null,
  position int not null,
  speaker text not null,
  text text not null,
  seconds numeric(10, 1) not null,
  primary key (call_id, position)
);

-- A node is alive while its lease is. Its calls in the air are lost with it.
create table nodes (
  node_id text primary key,
  lease_until timestamptz(3) not null,
  started_at timestamptz(3) not null default now()
);

-- Kept 24 hours in the transaction of what it created (decisions 2). The digest covers organisation, route and key:
-- one narrow index, and people put names into keys.
create table idempotency_keys (
  key_hash bytea primary key,
  body_hash bytea not null,
  -- Null once what it created has been erased: a repeat answers 404 and never dials again.
  answer text,
  expires_at timestamptz(3) not null
);
-- Rows come in the order they expire, so a few bytes per block range are index enough.
create index idempotency_keys_expiry on idempotency_keys using brin (expires_at);
