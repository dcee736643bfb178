import type { SearchQueryNode } from '#events/search/criteria.ts'
import { conditionName } from '#events/search/query.ts'
import type { SubError } from '#events/contract/problem.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { validationErrors } from '#server/platform/problem.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'

/** Throws 400 with every invalid or too large regular expression; only the engine can check them. */
export async function checkExpressions(clickhouse: ClickHouse, criteria: SearchQueryNode): Promise<void> {
  const wrong: SubError[] = []
  for (const { field, regex } of expressionsIn(criteria, ''))
    if (!(await isExpression(clickhouse, regex)))
      wrong.push({ field, message: 'is not a valid regular expression, or is too large' })
  if (wrong.length > 0) throw validationErrors(wrong)
}

type Expression = { field: string; regex: string }

function expressionsIn({ searchQueries, searchQueryNodes }: SearchQueryNode, at: string): Expression[] {
  return [
    ...searchQueries.flatMap(({ type, field, operators }, i) => {
      if (type !== 'string' || operators.regex === undefined) return []
      return [{ field: `${at}searchQueries.${i}.${conditionName(field)}.regex`, regex: operators.regex }]
    }),
    ...searchQueryNodes.flatMap((inner, i) => expressionsIn(inner, `${at}searchQueryNodes.${i}.`)),
  ]
}

async function isExpression(clickhouse: ClickHouse, regex: string): Promise<boolean> {
  try {
    await clickhouse.rows(sql`SELECT match('', ${regex})`)
    return true
  } catch (error) {
    if (error instanceof Error && 'type' in error && error.type === 'CANNOT_COMPILE_REGEXP') return false
    throw error
  }
}
