-- As it was written, in the order of the specification: jsonb would sort the keys of what people read.
alter table events alter column data type json;
alter table events
  -- A recording and a transcript exist: links to them are made for every attempt.
  add column has_media boolean not null default false,
  -- Example data, sent because somebody asked for it. Its failures count for nothing.
  add column is_test boolean not null default false;

alter table webhook_endpoints
  add column consecutive_failures int not null default 0,
  add column disabled_at timestamptz(3),
  add column disabled_reason text check (disabled_reason in ('by_hand', 'failures')),
  -- A staged rotation: shown and tested, not yet used.
  add column next_secret bytea,
  -- Since when it has wanted these events; earlier ones owe it nothing.
  add column subscribed_since timestamptz(3) not null default now(),
  add column deleted_at timestamptz(3);

-- One per event and subscribed endpoint, made in the event's own transaction. The log people look at.
create table webhook_deliveries (
  delivery_id text primary key,
  organisation_id text not null,
  endpoint_id text not null,
  event_id text not null,
  event_type text not null,
  call_id text,
  status text not null check (status in ('pending', 'succeeded', 'failed', 'held', 'dropped')),
  attempts int not null default 0,
  next_attempt_at timestamptz(3),
  last_attempt_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index webhook_deliveries_by_organisation on webhook_deliveries (organisation_id, created_at desc, delivery_id desc);
-- What can be recovered. Every index costs at every delivery, so there are few, and these two are small.
create index webhook_deliveries_lost on webhook_deliveries (endpoint_id, created_at, delivery_id) where status in ('failed', 'held');
create index webhook_deliveries_pending on webhook_deliveries (created_at) where status = 'pending';
create index webhook_deliveries_by_call on webhook_deliveries (call_id) where call_id is not null;

-- What is still to be sent, and nothing else: narrow, hot, swept often.
create table webhook_queue (
  delivery_id text primary key,
  endpoint_id text not null,
  event_id text not null,
  due_at timestamptz not null,
  -- Attempts made on this ladder; a replay starts a new one.
  attempt smallint not null default 0,
  -- Somebody asked for it to be sent again.
  is_replay boolean not null default false,
  leased_until timestamptz,
  -- Grows with every claim: a result that carries an older one comes too late to count.
  fence int not null default 0
) with (
  fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0
);
-- The only one: a claim writes columns that stand in no index, which keeps it cheap.
create index webhook_queue_by_endpoint on webhook_queue (endpoint_id, due_at, delivery_id);

-- Every send and what came of it.
create table webhook_attempts (
  delivery_id text not null,
  number int not null,
  started_at timestamptz(3) not null,
  duration_ms int not null,
  status_code int,
  -- Null when it succeeded.
  failure text,
  detail text,
  response text,
  next_attempt_at timestamptz(3),
  primary key (delivery_id, number)
);

-- What somebody should know about an endpoint: it is failing, it was switched off, it is well again.
create table webhook_notices (
  notice_id text primary key,
  organisation_id text not null,
  endpoint_id text not null,
  kind text not null check (kind in ('failing', 'disabled', 'recovered')),
  consecutive_failures int not null,
  last_failure text,
  created_at timestamptz(3) not null default now()
);
create index webhook_notices_by_endpoint on webhook_notices (endpoint_id, created_at desc);

-- Replays of all that failed since a time: a job that survives the process that works on it.
create table webhook_recoveries (
  recovery_id text primary key,
  organisation_id text not null,
  endpoint_id text not null,
  since timestamptz(3) not null,
  until timestamptz(3) not null,
  status text not null default 'running' check (status in ('running', 'done', 'cancelled')),
  total int not null,
  replayed int not null default 0,
  -- Where it stands: the delivery it has reached.
  reached_at timestamptz(3),
  reached_id text,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3)
);
create index webhook_recoveries_running on webhook_recoveries (created_at) where status = 'running';
create index webhook_recoveries_by_endpoint on webhook_recoveries (endpoint_id, created_at desc);
