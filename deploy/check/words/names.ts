import type { Remark } from './splitText.ts'

type NameRule = { pattern: RegExp; message: (name: string) => string | undefined }

/** Type names that were participles, questions or poetic nouns. A noun with another word, as in `WordList`, is fine. */
const vagueTypes = new Set(
  [
    'Asked Found Told Given Meant Said Wanted Wished Kept Left Seen Known Shown Sent Read Counted Judged Admitted Opened Stopped Taken Done',
    'Made Gone Begun Ended Held Looked Listed Written Drawn Chosen Named Sorted Grouped Followed Unanswered NotThere Noticed Heard',
    'Beside Besides Under Above Words Wish Wishes Deeds Hands Ways Way Means Doom News Mine Ours Theirs Most Least Usual',
  ].flatMap((line) => line.split(' ')),
)

/** `Where` in a name is fine where it is the clause of SQL. */
const questionType = /^(?:What|How|Whether|Where(?!Clause)|Which|Who|Why)(?:[A-Z]|$)/

/** Names of constants that can only be durations. */
const duration =
  /^(?:(?:\w+(?:Every|After|For))|every|again|pause|patience|wait|delay|timeout|interval)$|(?:Patience|Delay|Timeout|Interval|Pause)$/

/** Names of properties that can only be our own durations; `timeout` and `interval` are often those of a library. */
const durationProperty = /^(?:again|pause|patience|tryAgainAfter)$/

const declaration = (keywords: string, value = '') =>
  new RegExp(`(?<![.\\w])(?:${keywords})\\s+#?([A-Za-z_$][\\w$]*)${value}`, 'g')

/** A number from 10, or a product, at the end of a line or before the next item. Smaller numbers are counts. */
const number = '\\d[\\d_]+(?:\\s*\\*\\s*\\d[\\d_]*)*\\s*(?=[\\n,;)}]|$)'

const rules: NameRule[] = [
  {
    pattern: declaration('type|interface|class|enum', '(?=\\s*[<={]|\\s+(?:extends|implements)\\b)'),
    message: (name) =>
      vagueTypes.has(name) || questionType.test(name) ? `type ${name}: name it with a noun` : undefined,
  },
  {
    pattern: declaration('const|let|readonly|static'),
    message: (name) =>
      /^(?:most(?!Active)|longest|deepest|least|fewest|shortest)(?:[A-Z]|$)/.test(name)
        ? `${name}: begin the name with max or min`
        : undefined,
  },
  {
    pattern: declaration('const|let|readonly|static', `\\s*=\\s*${number}`),
    message: (name) => (duration.test(name) ? `${name}: end the name with its unit, as in ${name}Ms` : undefined),
  },
  {
    pattern: new RegExp(`(?<=[{,\\n]\\s*)([A-Za-z_$][\\w$]*):\\s*${number}`, 'g'),
    message: (name) =>
      durationProperty.test(name) ? `${name}: end the name with its unit, as in ${name}Ms` : undefined,
  },
]

/** Names of types, limits and durations to change. The code has no comments and strings. */
export const nameFindings = (code: string): Remark[] =>
  rules.flatMap(({ pattern, message }) =>
    [...code.matchAll(pattern)].flatMap((match) => {
      const found = message(match[1] ?? '')
      return found === undefined ? [] : [{ index: match.index, message: found }]
    }),
  )
