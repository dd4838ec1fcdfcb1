import { missingParts, procedures, tables, type PostgresClient } from './postgres-tables.ts';

/**
 * Warnings about anything that could lose records or stop the store, each with a remedy: settings of the
 * engine, incomplete tables, and missing rights of the role.
 */
export async function postgresWarnings(client: PostgresClient): Promise<readonly string[]> {
  const { rows } = await client.query(
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
       current_setting('synchronous_standby_names') as standbys, pg_is_in_recovery() as recovering,
       current_setting('default_transaction_read_only') as readonly,
       (select relpersistence from pg_class where oid = to_regclass('tallystick_keys')) as persistence,
       (select count(*) from pg_stat_replication)::int as replicas`,
  );
  const [row] = rows as {
    readonly fsync: string;
    readonly commit: string;
    readonly standbys: string;
    readonly readonly: string;
    readonly recovering: boolean;
    readonly persistence: string | null;
    readonly replicas: number;
  }[];
  if (row === undefined) return [];
  const missing = row.persistence === null ? [] : await missingParts(client);
  const denied = await deniedRights(client);
  return [
    ...(row.fsync === 'off' ? ['fsync is off: records are lost when the machine stops; set it to on'] : []),
    ...(row.commit === 'off'
      ? ['synchronous_commit is off: the last records are lost when the engine stops; set it to on']
      : []),
    ...(row.persistence === null ? ['the tables are not there: run the migration'] : []),
    ...(missing.length > 0
      ? [`the tables are those of another version, without ${missing.join(', ')}: run the migration`]
      : []),
    ...(row.persistence === 'u'
      ? ['tallystick_keys is unlogged: it is emptied after a crash; alter table tallystick_keys set logged']
      : []),
    ...(denied.length > 0 ? [`the role may not ${denied.join(', ')}: grant it these rights`] : []),
    ...(row.recovering ? ['this is a standby: connect to the primary'] : []),
    ...(row.readonly === 'on' && !row.recovering
      ? ['default_transaction_read_only is on: every claim is refused; set it to off for this role']
      : []),
    ...(row.replicas > 0 && row.standbys === ''
      ? ['replication is asynchronous: a failover can lose the last records; set synchronous_standby_names']
      : []),
    ...(row.standbys !== '' && ['local', 'remote_write'].includes(row.commit)
      ? [`synchronous_commit is ${row.commit}: a record can count before the standby has it; set it to on`]
      : []),
  ];
}

// --- internal ---

/** The rights that the store needs and the role lacks, as `grant` names them. */
async function deniedRights(client: PostgresClient): Promise<readonly string[]> {
  const { rows } = await client.query(
    `select what || ' on ' || name as denied
       from unnest($1::text[]) name, unnest(array['select', 'insert', 'update', 'delete']) what
       where to_regclass(name) is not null and not has_table_privilege(to_regclass(name)::oid, what)
     union all select 'execute on procedure ' || name from unnest($2::text[]) name
       where to_regproc(name) is not null and not has_function_privilege(to_regproc(name)::oid, 'execute')`,
    [Object.keys(tables), Object.keys(procedures)],
  );
  return (rows as { readonly denied: string }[]).map(({ denied }) => denied);
}
