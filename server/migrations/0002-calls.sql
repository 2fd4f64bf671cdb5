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
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
) with (fillfactor = 80);
create index calls_newest on calls (organisation_id, created_at desc, call_id desc);
create index calls_by_contact on calls (organisation_id, contact_number, created_at desc, call_id desc);
-- What is still to be dialled, oldest first.
create index calls_due on calls (scheduled_at) where status in ('scheduled', 'queued');

-- Kept 24 hours in the transaction of what it created (decisions 2). Only the key's hash: people put names into keys.
create table idempotency_keys (
  organisation_id text not null,
  route text not null,
  key_hash bytea not null,
  body_hash bytea not null,
  resource_id text not null,
  -- Null once what it created has been erased: a repeat answers 404 and never dials again.
  answer text,
  expires_at timestamptz(3) not null,
  primary key (organisation_id, route, key_hash)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);
create index idempotency_keys_resource on idempotency_keys (resource_id);
