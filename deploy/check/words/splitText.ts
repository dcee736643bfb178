/** A comment without its marks. Line breaks are kept, so a position in the text plus `index` is a position in the file. */
export type Comment = { index: number; text: string; isDoc: boolean }

/** A string or template without its quotes, and true if it is the title of a test. */
export type Literal = { index: number; text: string; isTitle: boolean }

/** A position in the file and a message about it. */
export type Remark = { index: number; message: string }

const lineComment = /(?<!:)\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/
const blockComment = /\/\*[\s\S]*?\*\//
const literal = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/
const regularExpression = /(?<=[(,=:[!&|?{};>]\s*|\breturn )\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//
const token = new RegExp(
  [blockComment, lineComment, literal, regularExpression].map(({ source }) => `(${source})`).join('|'),
  'g',
)

const beforeTitle = /(?:\b(?:test|it|describe)(?:\.(?!each|for)\w+(?:\([^()]*\))?)*|\)\s*)\(\s*$/

/**
 * Splits a file into its comments, its literals and its code. Blanks in the code replace comments, strings and regular expressions, so positions are those of
 * the file. Adjacent line comments are one comment. Text between JSX tags counts as code.
 */
export function splitText(text: string): { code: string; comments: Comment[]; literals: Literal[] } {
  const comments: Comment[] = []
  const literals: Literal[] = []
  const code = text.replace(
    token,
    (match: string, block?: string, lines?: string, quoted?: string, ...rest: unknown[]) => {
      const index = rest.find((each) => typeof each === 'number') ?? 0
      if (block !== undefined || lines !== undefined)
        comments.push({ index, text: withoutMarks(match), isDoc: match.startsWith('/**') })
      if (quoted !== undefined) {
        const isTitle =
          beforeTitle.test(text.slice(Math.max(0, index - 100), index)) &&
          /^\s*,/.test(text.slice(index + match.length))
        literals.push({ index: index + 1, text: match.slice(1, -1), isTitle })
      }
      return blank(match)
    },
  )
  return { code, comments, literals }
}

const withoutMarks = (comment: string) => comment.replace(/^[ \t]*\/\/+|^\/\*+|\*+\/$|^[ \t]*\*(?!\/)/gm, blank)

/** Spaces of the same length, with the same line breaks. */
export const blank = (text: string): string => text.replace(/[^\n]/g, ' ')
