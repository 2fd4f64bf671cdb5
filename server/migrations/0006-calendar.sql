-- Weekly rules, and per date the counters that keep them from overfilling (decisions 7). Ids are made by the program;
-- times of day are wall-clock texts in the branch's zone, because a rule has no instant before it has a date.

-- One row may be three weeks of holiday. Closed, or open with other hours.
create table branch_holidays (
  holiday_id uuid primary key,
  organisation_id text not null references organisations,
  branch_id uuid not null references branches,
  start_date date not null,
  end_date date not null,
  reason text,
  -- Null: closed. Otherwise the sessions that have other hours in this time.
  hours jsonb,
  created_at timestamptz(3) not null default now(),
  constraint branch_holidays_order check (start_date <= end_date)
);
create index branch_holidays_by_branch on branch_holidays (branch_id, end_date);

create table windows (
  calendar_id uuid primary key,
  organisation_id text not null references organisations,
  branch_id uuid not null references branches,
  parent_calendar_id uuid references windows,
  day text not null check (day in ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday')),
  session text not null check (session in ('Morning', 'Afternoon', 'Evening')),
  batch text,
  -- Both null: the branch's hours of the session.
  start_time text,
  end_time text,
  appointment_type_id uuid references services,
  max_slots int not null,
  ai_slots int not null,
  status text not null check (status in ('OPEN', 'CLOSED')),
  -- Grows with every change: a booking that read the rule before the change notices.
  revision int not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint windows_capacity check (0 <= ai_slots and ai_slots <= max_slots),
  constraint windows_times check ((start_time is null) = (end_time is null) and (start_time is null or start_time < end_time))
);
create index windows_newest on windows (organisation_id, created_at, calendar_id);
create index windows_by_branch on windows (branch_id);

-- One date of a window, made when first needed. No foreign key to windows: its lock on the window's row would be paid at
-- every booking, and windows are never deleted.
create table day_slots (
  calendar_id uuid not null,
  date date not null,
  branch_id uuid not null,
  -- In force while somebody is booked or the capacity is overridden; otherwise the rule's is.
  max_slots int not null,
  ai_slots int not null,
  filled int not null default 0,
  ai_filled int not null default 0,
  -- Places promised in a call: call_id to the time until which the promise holds. Inside the row, because a statement
  -- that waited for the row sees the row's latest version, but other tables as they were before it waited.
  holds jsonb not null default '{}',
  -- What holds for this date only; null: the rule's.
  capacity_override boolean not null default false,
  start_time text,
  end_time text,
  status text check (status in ('OPEN', 'CLOSED')),
  note text,
  revision int not null default 0,
  updated_at timestamptz(3) not null default now(),
  primary key (calendar_id, date),
  -- Whatever a statement does: nothing is ever overbooked.
  constraint day_slots_filled check (0 <= filled and filled <= max_slots),
  constraint day_slots_ai_filled check (0 <= ai_filled and ai_filled <= ai_slots and ai_filled <= filled),
  constraint day_slots_capacity check (0 <= ai_slots and ai_slots <= max_slots)
) with (fillfactor = 70);
-- Counters change all the time: dead versions are cleaned away early.
alter table day_slots set (autovacuum_vacuum_scale_factor = 0.02);
create index day_slots_by_branch on day_slots (branch_id, date);

-- What was agreed: times, batch and service name stay as they were when it was booked, whatever the rule says later.
create table appointments (
  appointment_id uuid primary key,
  organisation_id text not null,
  calendar_id uuid not null,
  branch_id uuid not null,
  date date not null,
  status text not null check (status in ('confirmed', 'cancelled', 'completed', 'no_show')),
  start_time text not null,
  end_time text not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  timezone text not null,
  session text not null,
  batch text,
  appointment_type_id uuid,
  appointment_type_name text,
  contact_name text,
  contact_number text,
  contact_email text,
  notes text,
  booked_by text not null check (booked_by in ('api', 'staff', 'ai')),
  call_id text,
  external_id text,
  cancellation_reason text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index appointments_newest on appointments (organisation_id, created_at, appointment_id);
create index appointments_by_slot on appointments (calendar_id, date);
create index appointments_by_branch on appointments (branch_id, date);
create index appointments_by_contact on appointments (organisation_id, contact_number);
create index appointments_by_call on appointments (call_id) where call_id is not null;
create unique index appointments_external_id on appointments (organisation_id, external_id)
  where external_id is not null and status <> 'cancelled';
