-- Written by npm run schema from the migrations. Do not edit.

create table agents (
  agent_id text not null,
  organisation_id text not null,
  name text not null,
  type text not null,
  language text not null,
  prompt text not null,
  greeting text not null,
  phone_number_id text,
  branch_id uuid,
  retry_max_attempts integer not null,
  retry_delay_ms bigint not null,
  retry_on text[] not null,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  archived_at timestamp(3) with time zone,
  voicemail_action text not null default 'hang_up'::text,
  voicemail_message text,
  transfer_to text,
  constraint agents_retry_max_attempts_check CHECK ((retry_max_attempts >= 1)),
  constraint agents_type_check CHECK ((type = ANY (ARRAY['outbound'::text, 'inbound'::text]))),
  constraint agents_voicemail_action_check CHECK ((voicemail_action = ANY (ARRAY['hang_up'::text, 'leave_message'::text]))),
  constraint agents_branch_id_fkey FOREIGN KEY (branch_id) REFERENCES branches(branch_id),
  constraint agents_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(organisation_id),
  constraint agents_phone_number_id_fkey FOREIGN KEY (phone_number_id) REFERENCES phone_numbers(phone_number_id),
  constraint agents_pkey PRIMARY KEY (agent_id),
  constraint agents_name UNIQUE (organisation_id, name)
);

create table api_keys (
  key_id text not null,
  organisation_id text not null,
  name text not null,
  key_hash bytea not null,
  hint text not null,
  scopes text[] not null,
  created_at timestamp(3) with time zone not null default now(),
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  constraint api_keys_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(organisation_id),
  constraint api_keys_pkey PRIMARY KEY (key_id),
  constraint api_keys_key_hash_key UNIQUE (key_hash)
);

CREATE INDEX api_keys_by_organisation ON public.api_keys USING btree (organisation_id, created_at);

create table appointments (
  appointment_id uuid not null,
  organisation_id text not null,
  calendar_id uuid not null,
  branch_id uuid not null,
  date date not null,
  status text not null,
  start_time text not null,
  end_time text not null,
  starts_at timestamp(3) with time zone not null,
  ends_at timestamp(3) with time zone not null,
  timezone text not null,
  session text not null,
  batch text,
  appointment_type_id uuid,
  appointment_type_name text,
  contact_name text,
  contact_number text,
  contact_email text,
  notes text,
  booked_by text not null,
  call_id text,
  external_id text,
  cancellation_reason text,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  sequence integer not null default 0,
  constraint appointments_booked_by_check CHECK ((booked_by = ANY (ARRAY['api'::text, 'staff'::text, 'ai'::text]))),
  constraint appointments_status_check CHECK ((status = ANY (ARRAY['confirmed'::text, 'cancelled'::text, 'completed'::text, 'no_show'::text]))),
  constraint appointments_pkey PRIMARY KEY (appointment_id)
);

CREATE INDEX appointments_by_branch ON public.appointments USING btree (branch_id, date);

CREATE INDEX appointments_by_call ON public.appointments USING btree (call_id) WHERE (call_id IS NOT NULL);

CREATE INDEX appointments_by_contact ON public.appointments USING btree (organisation_id, contact_number);

CREATE INDEX appointments_by_slot ON public.appointments USING btree (calendar_id, date);

CREATE INDEX appointments_newest ON public.appointments USING btree (organisation_id, created_at, appointment_id);

CREATE UNIQUE INDEX appointments_external_id ON public.appointments USING btree (organisation_id, external_id) WHERE ((external_id IS NOT NULL) AND (status <> 'cancelled'::text));

create table audit_log (
  audit_id text not null,
  organisation_id text not null,
  actor text not null,
  action text not null,
  resource_id text not null,
  at timestamp(3) with time zone not null default now(),
  constraint audit_log_pkey PRIMARY KEY (audit_id)
);

CREATE INDEX audit_log_by_organisation ON public.audit_log USING btree (organisation_id, at DESC);

create table branch_holidays (
  holiday_id uuid not null,
  organisation_id text not null,
  branch_id uuid not null,
  start_date date not null,
  end_date date not null,
  reason text,
  hours jsonb,
  created_at timestamp(3) with time zone not null default now(),
  constraint branch_holidays_order CHECK ((start_date <= end_date)),
  constraint branch_holidays_branch_id_fkey FOREIGN KEY (branch_id) REFERENCES branches(branch_id),
  constraint branch_holidays_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(organisation_id),
  constraint branch_holidays_pkey PRIMARY KEY (holiday_id)
);

CREATE INDEX branch_holidays_by_branch ON public.branch_holidays USING btree (branch_id, end_date);

create table branches (
  branch_id uuid not null,
  organisation_id text not null,
  name text not null,
  timezone text not null,
  session_hours jsonb not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint branches_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(organisation_id),
  constraint branches_pkey PRIMARY KEY (branch_id),
  constraint branches_name UNIQUE (organisation_id, name)
);

create table calendar_feeds (
  branch_id uuid not null,
  organisation_id text not null,
  token_hash bytea not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint calendar_feeds_branch_id_fkey FOREIGN KEY (branch_id) REFERENCES branches(branch_id),
  constraint calendar_feeds_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(organisation_id),
  constraint calendar_feeds_pkey PRIMARY KEY (branch_id),
  constraint calendar_feeds_token_hash_key UNIQUE (token_hash)
);

create table call_shares (
  call_id text not null,
  organisation_id text not null,
  salt text not null,
  issued_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  constraint call_shares_pkey PRIMARY KEY (call_id)
);

CREATE INDEX call_shares_by_organisation ON public.call_shares USING btree (organisation_id);

create table call_turns (
  call_id text not null,
  position integer not null,
  seconds numeric(10,1) not null,
  endpointing_ms integer not null,
  stt_ms integer not null,
  brain_ms integer not null,
  tts_ms integer not null,
  total_ms integer not null,
  constraint call_turns_pkey PRIMARY KEY (call_id, "position")
);

create table call_utterances (
  call_id text not null,
  position integer not null,
  speaker text not null,
  text text not null,
  seconds numeric(10,1) not null,
  constraint call_utterances_pkey PRIMARY KEY (call_id, "position")
);

create table calls (
  call_id text not null,
  organisation_id text not null,
  agent_id text not null,
  status text not null,
  direction text not null,
  source text not null,
  contact_number text not null,
  contact_name text,
  contact_email text,
  preferred_language text,
  additional_info jsonb,
  phone_number_id text,
  lease_owner text,
  attempt integer not null default 1,
  follows_call_id text,
  scheduled_call_id text,
  scheduled_at timestamp(3) with time zone,
  triggered_at timestamp(3) with time zone,
  answered_at timestamp(3) with time zone,
  completed_at timestamp(3) with time zone,
  cancelled_at timestamp(3) with time zone,
  duration_seconds integer,
  ending text,
  credits_consumed integer,
  analytics jsonb,
  extracted_details jsonb,
  outcome_due_at timestamp(3) with time zone,
  error_code text,
  error_message text,
  idempotency_key_hash bytea,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  appointment_id uuid,
  queued_at timestamp(3) with time zone,
  ringing_at timestamp(3) with time zone,
  recorded boolean,
  leg_trace jsonb,
  constraint calls_direction_check CHECK ((direction = ANY (ARRAY['outbound'::text, 'inbound'::text]))),
  constraint calls_source_check CHECK ((source = ANY (ARRAY['api'::text, 'hook'::text, 'dashboard'::text, 'retry'::text, 'callback'::text, 'inbound'::text]))),
  constraint calls_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'queued'::text, 'initiated'::text, 'ringing'::text, 'in_progress'::text, 'completed'::text, 'failed'::text, 'cancelled'::text, 'disallowed'::text]))),
  constraint calls_pkey PRIMARY KEY (call_id)
) with (fillfactor=80, autovacuum_vacuum_scale_factor=0.02);

CREATE INDEX calls_by_contact ON public.calls USING btree (contact_number);

CREATE INDEX calls_callbacks ON public.calls USING btree (organisation_id, scheduled_at) WHERE ((source = 'callback'::text) AND (status = ANY (ARRAY['scheduled'::text, 'queued'::text])));

CREATE INDEX calls_due ON public.calls USING btree (scheduled_at) WHERE (status = 'scheduled'::text);

CREATE INDEX calls_in_the_air ON public.calls USING btree (phone_number_id) WHERE (status = ANY (ARRAY['initiated'::text, 'ringing'::text, 'in_progress'::text]));

CREATE INDEX calls_newest ON public.calls USING btree (organisation_id, created_at);

CREATE INDEX calls_owing_outcome ON public.calls USING btree (outcome_due_at) WHERE (outcome_due_at IS NOT NULL);

CREATE INDEX calls_waiting ON public.calls USING btree (phone_number_id, scheduled_at) WHERE (status = 'queued'::text);

create table credit_balances (
  organisation_id text not null,
  balance bigint not null default 0,
  held bigint not null default 0,
  constraint credit_balances_held_check CHECK ((held >= 0)),
  constraint credit_balances_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(organisation_id),
  constraint credit_balances_pkey PRIMARY KEY (organisation_id)
);

create table credit_entries (
  entry_id text not null,
  organisation_id text not null,
  kind text not null,
  amount bigint not null,
  call_id text,
  created_at timestamp(3) with time zone not null default now(),
  constraint credit_entries_kind_check CHECK ((kind = ANY (ARRAY['grant'::text, 'hold'::text, 'charge'::text, 'release'::text]))),
  constraint credit_entries_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(organisation_id),
  constraint credit_entries_pkey PRIMARY KEY (entry_id)
);

CREATE INDEX credit_entries_by_organisation ON public.credit_entries USING btree (organisation_id, created_at);

create table day_slots (
  calendar_id uuid not null,
  date date not null,
  branch_id uuid not null,
  max_slots integer not null,
  ai_slots integer not null,
  filled integer not null default 0,
  ai_filled integer not null default 0,
  holds jsonb not null default '{}'::jsonb,
  capacity_override boolean not null default false,
  start_time text,
  end_time text,
  status text,
  note text,
  revision integer not null default 0,
  updated_at timestamp(3) with time zone not null default now(),
  constraint day_slots_ai_filled CHECK (((0 <= ai_filled) AND (ai_filled <= ai_slots) AND (ai_filled <= filled))),
  constraint day_slots_capacity CHECK (((0 <= ai_slots) AND (ai_slots <= max_slots))),
  constraint day_slots_filled CHECK (((0 <= filled) AND (filled <= max_slots))),
  constraint day_slots_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'CLOSED'::text]))),
  constraint day_slots_pkey PRIMARY KEY (calendar_id, date)
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.02);

CREATE INDEX day_slots_by_branch ON public.day_slots USING btree (branch_id, date);

create table do_not_call (
  organisation_id text not null,
  number text not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint do_not_call_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(organisation_id),
  constraint do_not_call_pkey PRIMARY KEY (organisation_id, number)
);

create table events (
  event_id text not null,
  organisation_id text not null,
  type text not null,
  call_id text,
  data json not null,
  created_at timestamp(3) with time zone not null default now(),
  has_media boolean not null default false,
  is_test boolean not null default false,
  constraint events_pkey PRIMARY KEY (event_id)
);

CREATE INDEX events_by_call ON public.events USING btree (call_id) WHERE (call_id IS NOT NULL);

CREATE INDEX events_by_organisation ON public.events USING btree (organisation_id, created_at DESC, event_id DESC);

create table hook_requests (
  request_id text not null,
  organisation_id text not null,
  at timestamp(3) with time zone not null,
  action text,
  status integer not null,
  code text,
  reason text,
  replayed boolean not null,
  call_id text,
  constraint hook_requests_pkey PRIMARY KEY (request_id)
);

CREATE INDEX hook_requests_by_time ON public.hook_requests USING brin (at);

CREATE INDEX hook_requests_newest ON public.hook_requests USING btree (organisation_id, at);

create table hook_signatures (
  digest bytea not null,
  key_hash bytea,
  times integer not null default 1,
  settled boolean not null default false,
  expires_at timestamp(3) with time zone not null,
  constraint hook_signatures_pkey PRIMARY KEY (digest)
);

CREATE INDEX hook_signatures_expiry ON public.hook_signatures USING brin (expires_at);

create table hook_usage (
  organisation_id text not null,
  day date not null,
  requests integer not null,
  constraint hook_usage_pkey PRIMARY KEY (organisation_id, day)
);

create table idempotency_keys (
  key_hash bytea not null,
  body_hash bytea not null,
  answer text,
  expires_at timestamp(3) with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (key_hash)
);

CREATE INDEX idempotency_keys_expiry ON public.idempotency_keys USING brin (expires_at);

create table invitations (
  invitation_id text not null,
  organisation_id text not null,
  email text not null,
  role text not null,
  token_hash bytea not null,
  invited_by text not null,
  created_at timestamp(3) with time zone not null default now(),
  expires_at timestamp(3) with time zone not null,
  accepted_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'staff'::text, 'viewer'::text]))),
  constraint invitations_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(organisation_id),
  constraint invitations_pkey PRIMARY KEY (invitation_id),
  constraint invitations_token_hash_key UNIQUE (token_hash)
);

CREATE INDEX invitations_by_organisation ON public.invitations USING btree (organisation_id, created_at);

create table media_removals (
  key text not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint media_removals_pkey PRIMARY KEY (key)
);

create table nodes (
  node_id text not null,
  lease_until timestamp(3) with time zone not null,
  started_at timestamp(3) with time zone not null default now(),
  constraint nodes_pkey PRIMARY KEY (node_id)
);

create table organisations (
  organisation_id text not null,
  name text not null,
  plan text not null,
  timezone text not null,
  public_share_enabled boolean not null default false,
  public_share_expiry text,
  inbound_token_hash bytea not null,
  inbound_signing boolean not null default false,
  inbound_signing_secret bytea not null,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint organisations_plan_check CHECK ((plan = ANY (ARRAY['base'::text, 'professional'::text, 'enterprise'::text]))),
  constraint organisations_public_share_expiry_check CHECK ((public_share_expiry = ANY (ARRAY['hour'::text, 'day'::text, 'week'::text, 'month'::text]))),
  constraint organisations_pkey PRIMARY KEY (organisation_id),
  constraint organisations_inbound_token_hash_key UNIQUE (inbound_token_hash)
);

create table phone_numbers (
  phone_number_id text not null,
  organisation_id text not null,
  number text not null,
  carrier text not null,
  max_concurrent integer not null,
  created_at timestamp(3) with time zone not null default now(),
  trunk_id text,
  constraint phone_numbers_max_concurrent_check CHECK ((max_concurrent > 0)),
  constraint phone_numbers_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(organisation_id),
  constraint phone_numbers_trunk_id_fkey FOREIGN KEY (trunk_id) REFERENCES trunks(trunk_id),
  constraint phone_numbers_pkey PRIMARY KEY (phone_number_id),
  constraint phone_numbers_once_each UNIQUE (organisation_id, number)
);

CREATE INDEX phone_numbers_by_trunk ON public.phone_numbers USING btree (trunk_id) WHERE (trunk_id IS NOT NULL);

CREATE UNIQUE INDEX phone_numbers_real ON public.phone_numbers USING btree (number) WHERE (carrier <> 'simulator'::text);

create table service_branches (
  appointment_type_id uuid not null,
  branch_id uuid not null,
  constraint service_branches_appointment_type_id_fkey FOREIGN KEY (appointment_type_id) REFERENCES services(appointment_type_id),
  constraint service_branches_branch_id_fkey FOREIGN KEY (branch_id) REFERENCES branches(branch_id),
  constraint service_branches_pkey PRIMARY KEY (appointment_type_id, branch_id)
);

create table services (
  appointment_type_id uuid not null,
  organisation_id text not null,
  name text not null,
  duration_minutes integer not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint services_duration_minutes_check CHECK ((duration_minutes > 0)),
  constraint services_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(organisation_id),
  constraint services_pkey PRIMARY KEY (appointment_type_id),
  constraint services_name UNIQUE (organisation_id, name)
);

create table sessions (
  token_hash bytea not null,
  user_id text not null,
  created_at timestamp(3) with time zone not null default now(),
  expires_at timestamp(3) with time zone not null,
  session_id text not null,
  browser text,
  last_used_at timestamp(3) with time zone not null default now(),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE,
  constraint sessions_pkey PRIMARY KEY (token_hash),
  constraint sessions_session_id_key UNIQUE (session_id)
);

CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id);

CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);

create table trunks (
  trunk_id text not null,
  organisation_id text not null,
  name text not null,
  host text not null,
  port integer,
  transport text not null,
  username text,
  password bytea,
  caller_id text,
  register boolean not null,
  srtp text not null,
  inbound_addresses text[] not null,
  max_concurrent integer not null,
  calls_per_second integer not null,
  recent_dials timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint trunks_calls_per_second_check CHECK ((calls_per_second > 0)),
  constraint trunks_max_concurrent_check CHECK ((max_concurrent > 0)),
  constraint trunks_port_check CHECK (((port >= 1) AND (port <= 65535))),
  constraint trunks_srtp_check CHECK ((srtp = ANY (ARRAY['off'::text, 'offer'::text, 'require'::text]))),
  constraint trunks_transport_check CHECK ((transport = ANY (ARRAY['udp'::text, 'tcp'::text, 'tls'::text]))),
  constraint trunks_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(organisation_id),
  constraint trunks_pkey PRIMARY KEY (trunk_id),
  constraint trunks_name UNIQUE (organisation_id, name)
);

create table users (
  user_id text not null,
  organisation_id text not null,
  email text not null,
  password_hash text not null,
  role text not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint users_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'staff'::text, 'viewer'::text]))),
  constraint users_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(organisation_id),
  constraint users_pkey PRIMARY KEY (user_id)
);

CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email), organisation_id);

create table webhook_attempts (
  delivery_id text not null,
  number integer not null,
  started_at timestamp(3) with time zone not null,
  duration_ms integer not null,
  status_code integer,
  failure text,
  detail text,
  response text,
  next_attempt_at timestamp(3) with time zone,
  constraint webhook_attempts_pkey PRIMARY KEY (delivery_id, number)
);

create table webhook_deliveries (
  delivery_id text not null,
  organisation_id text not null,
  endpoint_id text not null,
  event_id text not null,
  event_type text not null,
  call_id text,
  status text not null,
  attempts integer not null default 0,
  next_attempt_at timestamp(3) with time zone,
  last_attempt_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null default now(),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'held'::text, 'dropped'::text]))),
  constraint webhook_deliveries_pkey PRIMARY KEY (delivery_id)
);

CREATE INDEX webhook_deliveries_by_call ON public.webhook_deliveries USING btree (call_id) WHERE (call_id IS NOT NULL);

CREATE INDEX webhook_deliveries_by_organisation ON public.webhook_deliveries USING btree (organisation_id, created_at DESC, delivery_id DESC);

CREATE INDEX webhook_deliveries_lost ON public.webhook_deliveries USING btree (endpoint_id, created_at, delivery_id) WHERE (status = ANY (ARRAY['failed'::text, 'held'::text]));

CREATE INDEX webhook_deliveries_pending ON public.webhook_deliveries USING btree (created_at) WHERE (status = 'pending'::text);

create table webhook_endpoints (
  endpoint_id text not null,
  organisation_id text not null,
  url text not null,
  description text,
  events text[] not null,
  signing boolean not null default true,
  secret bytea not null,
  status text not null default 'enabled'::text,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  consecutive_failures integer not null default 0,
  disabled_at timestamp(3) with time zone,
  disabled_reason text,
  next_secret bytea,
  subscribed_since timestamp(3) with time zone not null default now(),
  deleted_at timestamp(3) with time zone,
  constraint webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['by_hand'::text, 'failures'::text]))),
  constraint webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text]))),
  constraint webhook_endpoints_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(organisation_id),
  constraint webhook_endpoints_pkey PRIMARY KEY (endpoint_id)
);

CREATE INDEX webhook_endpoints_by_organisation ON public.webhook_endpoints USING btree (organisation_id, created_at);

create table webhook_notices (
  notice_id text not null,
  organisation_id text not null,
  endpoint_id text not null,
  kind text not null,
  consecutive_failures integer not null,
  last_failure text,
  created_at timestamp(3) with time zone not null default now(),
  constraint webhook_notices_kind_check CHECK ((kind = ANY (ARRAY['failing'::text, 'disabled'::text, 'recovered'::text]))),
  constraint webhook_notices_pkey PRIMARY KEY (notice_id)
);

CREATE INDEX webhook_notices_by_endpoint ON public.webhook_notices USING btree (endpoint_id, created_at DESC);

create table webhook_queue (
  delivery_id text not null,
  endpoint_id text not null,
  event_id text not null,
  due_at timestamp with time zone not null,
  attempt smallint not null default 0,
  is_replay boolean not null default false,
  leased_until timestamp with time zone,
  fence integer not null default 0,
  constraint webhook_queue_pkey PRIMARY KEY (delivery_id)
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_cost_delay=0);

CREATE INDEX webhook_queue_by_endpoint ON public.webhook_queue USING btree (endpoint_id, due_at, delivery_id);

create table webhook_recoveries (
  recovery_id text not null,
  organisation_id text not null,
  endpoint_id text not null,
  since timestamp(3) with time zone not null,
  until timestamp(3) with time zone not null,
  status text not null default 'running'::text,
  total integer not null,
  replayed integer not null default 0,
  reached_at timestamp(3) with time zone,
  reached_id text,
  created_at timestamp(3) with time zone not null default now(),
  ended_at timestamp(3) with time zone,
  constraint webhook_recoveries_status_check CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'cancelled'::text]))),
  constraint webhook_recoveries_pkey PRIMARY KEY (recovery_id)
);

CREATE INDEX webhook_recoveries_by_endpoint ON public.webhook_recoveries USING btree (endpoint_id, created_at DESC);

CREATE INDEX webhook_recoveries_running ON public.webhook_recoveries USING btree (created_at) WHERE (status = 'running'::text);

create table windows (
  calendar_id uuid not null,
  organisation_id text not null,
  branch_id uuid not null,
  parent_calendar_id uuid,
  day text not null,
  session text not null,
  batch text,
  start_time text,
  end_time text,
  appointment_type_id uuid,
  max_slots integer not null,
  ai_slots integer not null,
  status text not null,
  revision integer not null default 0,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint windows_capacity CHECK (((0 <= ai_slots) AND (ai_slots <= max_slots))),
  constraint windows_day_check CHECK ((day = ANY (ARRAY['monday'::text, 'tuesday'::text, 'wednesday'::text, 'thursday'::text, 'friday'::text, 'saturday'::text, 'sunday'::text]))),
  constraint windows_session_check CHECK ((session = ANY (ARRAY['Morning'::text, 'Afternoon'::text, 'Evening'::text]))),
  constraint windows_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'CLOSED'::text]))),
  constraint windows_times CHECK ((((start_time IS NULL) = (end_time IS NULL)) AND ((start_time IS NULL) OR (start_time < end_time)))),
  constraint windows_appointment_type_id_fkey FOREIGN KEY (appointment_type_id) REFERENCES services(appointment_type_id),
  constraint windows_branch_id_fkey FOREIGN KEY (branch_id) REFERENCES branches(branch_id),
  constraint windows_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES organisations(organisation_id),
  constraint windows_parent_calendar_id_fkey FOREIGN KEY (parent_calendar_id) REFERENCES windows(calendar_id),
  constraint windows_pkey PRIMARY KEY (calendar_id)
);

CREATE INDEX windows_by_branch ON public.windows USING btree (branch_id);

CREATE INDEX windows_newest ON public.windows USING btree (organisation_id, created_at, calendar_id);
