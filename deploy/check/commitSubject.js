// Runs as a git hook, on the machine's own Node. So it is plain JavaScript and imports only Node.
import { readFileSync } from 'node:fs'

const maxLength = 72
/** Verbs that a subject may start with. Add others here. */
const verbs = new Set(
  `abort accept add address adjust admit adopt align allow announce answer apply archive ask assert assign attach audit authenticate avoid
  back batch begin blame bind block bound break bring build bump bundle cache call cancel capture carry catch change charge check choose clarify clean
  clear clone close collapse collect color combine come commit compare compile complete compress compute configure confirm connect consolidate
  consume contain continue convert copy correct count cover create cut date debounce declare decode default defer define delay delete deliver
  deny deprecate derive describe detect determine disable discard display distinguish divide document download draw drop dump
  edit embed enable encode encrypt end enforce enlarge ensure enter escape evaluate exclude execute exempt expand expect expire explain expose
  export extend extract fail fall fetch fill filter find finish fit fix flatten flush focus fold follow force forget format free freeze
  generate get give grant group grow guard hand handle harden hash have hide highlight hold identify ignore implement import improve include
  increase indent index infer inform inherit initialize inline insert inspect install introduce invalidate isolate join judge keep kill label
  lay lazy-load leave let lift limit link list lint listen load localize lock log look loosen lower make manage map mark match measure mention merge
  migrate mind minimize mirror mock model modify monitor mount move name narrow neutralize normalize note notify number offer omit open
  optimize order own pack page pair park parse pass pause permit persist pick pin place plan point poll port postpone predict prefer prefix
  prepare present preserve press prevent print prioritize probe process profile prohibit promise protect provide prove prune publish pull purge push
  put query queue quote raise read rebuild recalculate receive recheck recognize recommend reconnect record recover redirect redo reduce
  refactor refer refine reflect refresh refuse regard register regroup reject relate relaunch relax release reload rely remember remove rename render
  reopen reorder repair repeat rephrase replace replay report represent reproduce request require rerun reserve reset resize resolve respect respond
  restart restore restrict restructure resume retain retry return reuse revert review revise revoke reword rewrite rework roll rotate
  round route run sanitize save say scale scan schedule scroll seal search secure see select send separate serve set settle shape share shift ship
  shorten show shrink shut sign silence simplify simulate size skip slice slow sort space speak specify speed split spread stabilize standardize start
  state stay stop store stream stress strip strengthen style submit subscribe subtract suggest sum summarize supervise support suppress survive
  suspect suspend swap switch sync tag take tell tend terminate test throttle throw tidy tie time tolerate touch trace track translate transfer
  transform treat trigger trim trust try tune turn type uncover undo unify uninstall unmount unpack untangle unwrap update upgrade upload use
  validate verify view wait wake walk warn wash watch weaken weigh widen wire word work wrap write zip`.split(/\s+/),
)

/**
 * Describes the fault of the subject of a commit; undefined if there is none. Merges have the subjects of git.
 * @param {string} subject
 * @returns {string | undefined}
 */
export function subjectFault(subject) {
  if (/^(?:Merge|Revert) |^(?:fixup|squash|amend)! /.test(subject)) return undefined
  if (subject.length > maxLength) return `has ${subject.length} characters, at most ${maxLength}`
  const [, verb] = /^[A-Z][\w.&/ -]*: (?:don't |never )?([a-z-]+)(?: |$)/.exec(subject) ?? []
  if (verb === undefined) return 'does not have the form "Area: change"'
  if (verbs.has(verb)) return undefined
  return `does not start with an imperative verb after the area; if "${verb}" is one, add it to deploy/check/commitSubject.js`
}

const [program, file] = process.argv.slice(1)
if (program === import.meta.filename && file !== undefined) {
  const [subject = ''] = readFileSync(file, 'utf8').split('\n')
  const fault = subjectFault(subject)
  if (fault !== undefined) {
    console.error(`The subject of this commit ${fault}: ${subject}`)
    process.exit(1)
  }
}
