import { isDeepStrictEqual } from 'node:util'
import { type Action, type ActionRequest, jobOf, type OptionsOf } from '#events/actions/actions.ts'
import { ownerTags, type PolicyAction, type PolicyDraft, type PolicySearch } from '#events/policies/policies.ts'
import { Criteria, type SearchQueryNode } from '#events/search/criteria.ts'
import { hasCondition } from '#events/search/searched.ts'
import { checkCron, nextTimes } from '#server/platform/cron.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { invalid, Problem, validationErrors } from '#server/platform/problem.ts'
import { checkExpressions } from '#server/questions/search/index.ts'
import { dropSelection } from '#server/questions/selections/index.ts'
import { planAction } from '#server/work/actions/index.ts'
import { administrators } from './notifyAdministrators.ts'

type Services = Pick<Platform, 'db' | 'clickhouse' | 'config'>

/**
 * Throws 400 for an invalid or empty search, for an action whose system isn't set up, and for times more often than hourly; 403 without its license. What is stored and unchanged isn't checked again, so a policy can be paused after its system was removed.
 */
export async function checkDraft(
  services: Services,
  by: Caller,
  draft: PolicyDraft,
  now: Date,
  stored?: PolicyDraft,
): Promise<void> {
  if (/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(draft.search)))
    invalid('search', 'holds a character that cannot be stored')
  if (draft.action.kind !== 'nothing' && !hasCondition(draft.search))
    invalid(
      'search',
      'must name something to search for: without a condition, the policy would take all files of all storages',
    )
  if (draft.action.kind === 'tag' && Object.values<string>(ownerTags).includes(draft.action.tag))
    invalid('action.tag', 'is for the answers of owners')
  if (requestOf(draft.action, draft.search) && takesCopies(draft.search))
    invalid('search', 'must not be for duplicates: the policy would take every copy, also the last one')
  if ('criteria' in draft.search)
    await within('search.criteria', checkExpressions(services.clickhouse, Criteria.parse(draft.search.criteria)))
  if (draft.cron !== null) checkTimes(draft.cron, now, stored?.cron)
  await checkAdministrators(services, draft, stored)
  if (!isDeepStrictEqual(draft.action, stored?.action)) await checkAction(services, by, draft)
}

/** True for a search by being a duplicate. The policy would act on all files of a group. */
function takesCopies(search: PolicySearch): boolean {
  if ('filters' in search) return search.filters.onlyDuplicates === true
  const isAsked = ({ searchQueries, searchQueryNodes }: SearchQueryNode): boolean =>
    searchQueries.some(({ field }) => field === 'dupe') || searchQueryNodes.some(isAsked)
  return isAsked(Criteria.parse(search.criteria))
}

/** Times that are compared with the next one. */
const comparedTimes = 50

function checkTimes(cron: string, now: Date, stored: string | null = null): void {
  checkCron(cron, now, stored)
  if (cron === stored) return
  const times = nextTimes(cron, now, comparedTimes).map((time) => time.getTime())
  if (times.some((time, i) => time - (times[i - 1] ?? 0) < 3_600_000)) invalid('cron', 'must run at most once an hour')
}

/** Without a second administrator all runs would expire. */
async function checkAdministrators({ db }: Services, draft: PolicyDraft, stored?: PolicyDraft): Promise<void> {
  if (!draft.needsSecondPerson || stored?.needsSecondPerson) return
  if ((await administrators(db).limit(2).execute()).length < 2)
    invalid('needsSecondPerson', 'needs two administrators: add another one first')
}

/** Plans the action for no file: that checks the license and options. Users who edit policies may do all of them. */
async function checkAction(services: Services, by: Caller, { search, action }: PolicyDraft): Promise<void> {
  const request = requestOf(action, search)
  if (!request) return
  const plan = planAction(services, request, { by, ofPolicy: 0, entries: [] })
  await dropSelection(services, (await within('action.options', plan)).id)
}

/** The request of an action on files; undefined for other actions of policies. */
export function requestOf(action: PolicyAction, search: PolicySearch): ActionRequest | undefined {
  if (action.kind === 'nothing' || action.kind === 'tag' || action.kind === 'ask') return undefined
  const options = 'options' in action ? action.options : {}
  return jobOf<Action>(action.kind, options as OptionsOf<Action>, { ...search, isDirectory: false })
}

/** Names the fields of errors by their place in the draft. */
async function within<T>(place: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Problem) || error.subErrors.length === 0) throw error
    throw validationErrors(error.subErrors.map(({ field, message }) => ({ field: `${place}.${field}`, message })))
  }
}
