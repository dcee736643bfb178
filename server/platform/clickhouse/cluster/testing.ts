import { join } from 'node:path'

/** Configuration of an engine that is a cluster named `tested`, of one shard. */
export const testedCluster = { name: 'tested', configuration: join(import.meta.dirname, 'testing.xml') }

/** Statements of a cluster for the embedded engine, which is one server and can't replicate. */
export function onOneServer(statement: string): string {
  if (/(?:^|; )SYSTEM SYNC REPLICA [^;]*$/.test(statement)) return 'SELECT 1'
  return statement
    .replaceAll(` ON CLUSTER \`${testedCluster.name}\``, '')
    .replace(/\bReplicated(\w*MergeTree)\('[^']*', '\{replica\}'(?:, )?/, '$1(')
    .replace(
      /\breplicated_deduplication_window = (\d+), replicated_deduplication_window_seconds = \d+/,
      'non_replicated_deduplication_window = $1',
    )
}
