/** A comment without its marks. Line breaks are kept, so a position in the text plus `index` is a position in the file. */
export type Comment = { index: number; text: string; isDoc: boolean }

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

/**
 * Splits a file into its comments and its code. Blanks in the code replace comments, strings and regular expressions, so positions are those of
 * the file. Adjacent line comments are one comment. Text between JSX tags counts as code.
 */
export function splitText(text: string): { code: string; comments: Comment[] } {
  const comments: Comment[] = []
  const code = text.replace(token, (match: string, block?: string, lines?: string, ...rest: unknown[]) => {
    const index = rest.find((each) => typeof each === 'number') ?? 0
    if (block !== undefined || lines !== undefined)
      comments.push({ index, text: withoutMarks(match), isDoc: match.startsWith('/**') })
    return blank(match)
  })
  return { code, comments }
}

const withoutMarks = (comment: string) => comment.replace(/^[ \t]*\/\/+|^\/\*+|\*+\/$|^[ \t]*\*(?!\/)/gm, blank)

/** Spaces of the same length, with the same line breaks. */
export const blank = (text: string): string => text.replace(/[^\n]/g, ' ')
