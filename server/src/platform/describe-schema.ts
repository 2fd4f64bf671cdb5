import type { Queryable } from './db.ts'

/**
 * The schema as text, in a fixed order: what the migrations really lead to, for people to read and for CI to compare.
 * The embedded packages bring no pg_dump, and its output differs between versions.
 */
export async function describeSchema(db: Queryable): Promise<string> {
  const tables = await db.query<{ name: string; oid: number; options: string[] | null }>(
    `select relname as name, oid::int, reloptions as options from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> 'schema_migrations'
     order by relname`,
  )
  const parts: string[] = []
  for (const table of tables) {
    const lines = [...(await columnsOf(db, table.oid)), ...(await constraintsOf(db, table.oid))]
    const options = table.options ? ` with (${table.options.join(', ')})` : ''
    parts.push(`create table ${table.name} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n)${options};`)
    parts.push(...(await indexesOf(db, table.oid)))
  }
  return `-- Written by npm run schema from the migrations. Do not edit.\n\n${parts.join('\n\n')}\n`
}

async function columnsOf(db: Queryable, table: number): Promise<string[]> {
  const rows = await db.query<{ line: string }>(
    `select concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
       'default ' || pg_get_expr(d.adbin, d.adrelid)) as line
     from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    [table],
  )
  return rows.map((row) => row.line)
}

async function constraintsOf(db: Queryable, table: number): Promise<string[]> {
  // PostgreSQL 18 lists NOT NULL as constraints too; 15 does not. The columns say it already.
  const rows = await db.query<{ line: string }>(
    `select 'constraint ' || conname || ' ' || pg_get_constraintdef(oid) as line from pg_constraint
     where conrelid = $1 and contype in ('p', 'u', 'c', 'f', 'x') order by contype, conname`,
    [table],
  )
  return rows.map((row) => row.line)
}

async function indexesOf(db: Queryable, table: number): Promise<string[]> {
  const rows = await db.query<{ line: string }>(
    `select pg_get_indexdef(i.indexrelid) || ';' as line from pg_index i
     where i.indrelid = $1 and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)
     order by 1`,
    [table],
  )
  return rows.map((row) => row.line)
}
