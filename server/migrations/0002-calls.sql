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
  scheduled_at timestamptz(3),
  triggered_at timestamptz(3),
  answered_at timestamptz(3),
  completed_at timestamptz(3),
  cancelled_at timestamptz(3),
  duration_seconds int,
  error_code text,
  error_message text,
  -- Leads from an erased call to its remembered answer.
  idempotency_key_hash bytea,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
) with (fillfactor = 80);
create index calls_newest on calls (organisation_id, created_at desc, call_id desc);
create index calls_by_contact on calls (organisation_id, contact_number, created_at desc, call_id desc);
-- What is still to be dialled, oldest first.
create index calls_due on calls (scheduled_at) where status in ('scheduled', 'queued');

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
