-- Requests to the inbound hook by organisation and UTC day: the quota, exact across nodes and restarts (decisions 2).
create table hook_usage (
  organisation_id text not null,
  day date not null,
  requests int not null,
  primary key (organisation_id, day)
);

-- Signed requests that were seen: none of them acts twice (decisions 5).
create table hook_signatures (
  digest bytea primary key,
  -- The idempotency key it came with. A header is not signed: a repeat with another key is not the same request.
  key_hash bytea,
  times int not null default 1,
  -- The first of them was answered. Until then its repeats with the same key are as good as the first.
  settled boolean not null default false,
  expires_at timestamptz(3) not null
);
create index hook_signatures_expiry on hook_signatures using brin (expires_at);

-- What came in and what was answered, for whoever has to find out why a no-code tool fails. No token, no personal data.
create table hook_requests (
  request_id text primary key,
  organisation_id text not null,
  at timestamptz(3) not null,
  -- Null when it was none of ours, or could not be read.
  action text,
  status int not null,
  code text,
  reason text,
  replayed boolean not null,
  call_id text
);
create index hook_requests_newest on hook_requests (organisation_id, at);
create index hook_requests_by_time on hook_requests using brin (at);
