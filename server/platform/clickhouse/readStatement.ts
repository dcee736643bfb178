import { render, type Sql, text, typed } from './sql.ts'
import {
  alterColumns,
  alterTable,
  createTable,
  deleteFrom,
  dropTable,
  exchangeTables,
  insertInto,
  optimizeTable,
  type Statement,
  truncateTable,
} from './statements.ts'

/**
 * Reads a statement that is written as SQL, as those of migrations are. Throws a TypeError for all that it doesn't know,
 * which would run on a single server of a cluster.
 */
export function readStatement(statement: Sql): Statement {
  const { query, query_params } = render(statement)
  const plain = query.trim().replace(leadingComments, '')
  for (const [pattern, build] of rules) {
    const groups = pattern.exec(plain)
    if (!groups) continue
    const { onCluster } = build(...groups.slice(1).map((group) => withValues(group, query_params)))
    return { ...statement, onCluster }
  }
  throw new TypeError(`This statement is neither a query nor a known change of tables: ${plain.slice(0, 200)}`)
}

const leadingComments = /^(?:--[^\n]*\n\s*)+/
const table = '`?(\\w+)`?'
const rule = (pattern: string, build: (...groups: Sql[]) => Statement): [RegExp, typeof build] => [
  new RegExp(`^${pattern}$`, 's'),
  build,
]

const rules = [
  rule(
    `CREATE TABLE (IF NOT EXISTS )?${table}\\s+(?:\\((.*)\\)\\s*)?ENGINE = (\\w+(?:\\([^)]*\\))?)(.*?)(?:\\sAS\\s+((?:SELECT|WITH|\\().*))?`,
    (once, table, columns, engine, clauses, rows) =>
      createTable(table, {
        ...(isGiven(columns) && { columns }),
        ...(isGiven(rows) && { rows }),
        engine: render(engine).query,
        clauses,
        ifNotExists: isGiven(once),
      }),
  ),
  rule(`DROP TABLE (?:IF EXISTS )?${table} SYNC`, dropTable),
  rule(`EXCHANGE TABLES ${table} AND ${table}`, exchangeTables),
  rule(`ALTER TABLE ${table}\\s+((?:ADD|MODIFY|DROP)\\s+(?:COLUMN|CONSTRAINT)\\b.*)`, alterColumns),
  rule(`ALTER TABLE ${table}\\s+((?:UPDATE|DELETE|DROP PARTITION|CLEAR COLUMN)\\b.*)`, alterTable),
  rule(`TRUNCATE TABLE ${table}`, truncateTable),
  rule(`DELETE FROM ${table}\\s+WHERE\\b(.*)`, deleteFrom),
  rule(`OPTIMIZE TABLE ${table}(.*)`, optimizeTable),
  rule(`INSERT INTO ${table}(.*)`, (table, rows) => insertInto(table, rows)),
  rule(`((?:SELECT|WITH)\\b.*)`, (query) => ({ ...query, onCluster: ({ run }) => run(query) })),
]

const isGiven = ({ parts }: Sql): boolean => parts.join('') !== ''

/** Part of a rendered statement, with its parameters. */
function withValues(part = '', parameters: Record<string, unknown>): Sql {
  const pieces = part.split(/\{(p\d+):([^}]+)\}/)
  const values = pieces.flatMap((_, i) =>
    i % 3 === 1 ? [typed(parameters[pieces[i] ?? ''], pieces[i + 1] ?? '')] : [],
  )
  return values.length === 0 ? text(part) : { parts: pieces.filter((_, i) => i % 3 === 0), values }
}
