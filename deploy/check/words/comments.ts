import { blank, type Comment, type Remark } from './splitText.ts'

/** A phrase to avoid, what to write instead, and uses of the phrase that are fine. */
type Phrase = { avoid: RegExp; use: string; allow?: RegExp }

const phrases: Phrase[] = [
  { avoid: /\banew\b|\bagain from the beginning\b/gi, use: 'again, from scratch' },
  { avoid: /\blikewise\b|\bas well as (?:it|them)\b/gi, use: 'also, same for' },
  { avoid: /\bso (?:many|much)\b/gi, use: 'a number of, up to N', allow: /^so much (?:more|less|that|faster|slower)/i },
  { avoid: /\b(?:is|are|was|were) none\b/gi, use: 'no X, undefined', allow: /^\w+ none of/i },
  { avoid: /\b(?:nobody|whoever|whomever|whatever|whichever)\b/gi, use: 'no one, anyone who, any' },
  { avoid: /\btold\b|\btell(?:s|ing)? of\b/gi, use: 'reports, shows, sends, notifies' },
  { avoid: /\basked\b/gi, use: 'requested, queried' },
  { avoid: /\blies?\b|\blying\b/gi, use: 'is in, is stored in, is under', allow: /^lies? (?:about|to)\b/i },
  { avoid: /\b(?:stands?|stood)\b/gi, use: 'is', allow: /^(?:stands?|stood) (?:for|in for|out|by|up)\b|^stand-/i },
  { avoid: /\bbeside\b/gi, use: 'next to, in addition to' },
  { avoid: /\b(?:comes?|came|coming) again\b/gi, use: 'is retried, returns' },
  { avoid: /\b(?:go|goes|went|going|gone) on\b/gi, use: 'continues, resumes' },
  {
    avoid: /\bbegun\b|\b(?:broken|breaks?|broke|breaking) off\b|\bgiven up\b/gi,
    use: 'started, interrupted, abandoned',
  },
  {
    avoid:
      /(?<!\b(?:all|any|both|each|either|half|most|many|neither|none|one|some|two|three) )\bof wh(?:ich|at)\b|\b(?:thereof|whereof)\b/gi,
    use: 'whose, of the',
    allow: /^of which (?:only |at least |at most )?(?:one|two|three|some|each|all|both|\d)/i,
  },
  {
    avoid: /\bas (?:it|they) (?:is|was|are|were)\b/gi,
    use: 'unchanged, current',
    allow:
      /^as \w+ \w+ (?:not |being |also |only )?(?:\w+ed|\w+ing|\w+en|read|sent|built|made|found|set|put|kept|left)\b/i,
  },
  { avoid: /\bsurely\b|\bby (?:itself|themselves)\b|\bat all\b/gi, use: 'delete it' },
  { avoid: /\b(?:gives?|gave|giving|given) back\b/gi, use: 'returns' },
  { avoid: /\bmeant\b/gi, use: 'intended, expected', allow: /^meant (?:for|to)\b/i },
  { avoid: /\bsaid\b/gi, use: 'reported, named, stated' },
  { avoid: /\b(?<!as )usual\b/gi, use: 'default, typical' },
]

/** Phrases to avoid in titles of tests, documents and texts, in addition to the others. */
const strictPhrases: Phrase[] = [
  {
    avoid: /(?<!\bthere )\b(?:is|are|was|were) no(?= \w)/gi,
    use: "isn't a X, has no X",
    allow: /^\w+ no (?:longer|more|one|different|less|fewer|need|problem)\b/i,
  },
  { avoid: /\b(?:is|are|was|were) (?:that|those) of\b/gi, use: 'repeat the noun' },
  {
    avoid: /\b(?:comes?|came)\b/gi,
    use: 'arrives, follows, is sent',
    allow: /^c\w+ (?:from|first|last|before|after|with|back)\b/i,
  },
  { avoid: /\ball else\b/gi, use: 'everything else' },
  { avoid: /\bso of (?:each|all)\b/gi, use: 'for each' },
  { avoid: /\bany more\b/gi, use: 'no longer', allow: /^any more (?:than|of|\w+s)\b/i },
  { avoid: /\bcomplain/gi, use: 'logs no errors' },
]

/** Phrases that are plain English in this kind of prose, and odd only in comments. */
const unchanged = 'as (?:it|they) \\w+|at all|by (?:itself|themselves)|given up|(?:as )?usual'
const fine = {
  title: new RegExp(`^"(?:${unchanged}|(?:is|are) none)"`, 'i'),
  document: new RegExp(`^"(?:${unchanged}|asked|told|is none|(?:is|are|was|were) (?:that|those) of)"`, 'i'),
  text: new RegExp(`^"(?:${unchanged}|asked|told|stand|comes?|came|(?:is|are) (?:that|those) of)"`, 'i'),
}

const question = /^(?:What|How|Whether|Where|Which|Who|Whose|Whom)\b/

/** Phrases to avoid, and comments that start with a question word. Text in backticks is code and not checked. */
export function commentFindings(comments: readonly Comment[]): Remark[] {
  return comments.flatMap(({ index, text }) => {
    const prose = text.replace(/`[^`]*`/g, blank)
    const start = prose.search(/\S/)
    const asks = start >= 0 && question.test(prose.slice(start))
    return [
      ...(asks ? [{ index: index + start, message: `starts with "${/\w+/.exec(prose)?.[0]}": name the thing` }] : []),
      ...phrases.flatMap((phrase) => phraseFindings(index, prose, phrase)),
    ]
  })
}

/** Phrases to avoid in other prose: a title of a test, which may not start with a question word, a document, or a text. */
export function proseFindings({ index, text }: Pick<Comment, 'index' | 'text'>, kind: keyof typeof fine): Remark[] {
  const prose = text.replace(/`[^`]*`|\$\{[^}]*\}/g, blank)
  if (kind === 'title') {
    const [word] = /^(?:What|Who)\b/i.exec(prose) ?? []
    if (word !== undefined) return [{ index, message: `starts with "${word}": say what the code does` }]
  }
  return [...phrases, ...strictPhrases]
    .flatMap((phrase) => phraseFindings(index, prose, phrase))
    .filter(({ message }) => !fine[kind].test(message))
}

function phraseFindings(index: number, prose: string, { avoid, use, allow }: Phrase): Remark[] {
  const spaced = new RegExp(avoid.source.replaceAll(' ', '\\s+'), avoid.flags)
  return [...prose.matchAll(spaced)]
    .filter(({ index: at }) => !allow?.test(prose.slice(at).replace(/\s+/g, ' ')))
    .map((match) => ({ index: index + match.index, message: `"${match[0].replace(/\s+/g, ' ')}" → ${use}` }))
}
