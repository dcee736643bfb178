const scripts = ['arabic', 'armenian', 'devanagari', 'georgian', 'hebrew', 'thai'] as const

export type FontPackage = 'inter' | `noto-sans-${(typeof scripts)[number] | 'jp' | 'kr' | 'sc'}`

const alphabets: readonly FontPackage[] = ['inter', ...scripts.map((script) => `noto-sans-${script}` as const)]

/** Font packages. Each has one file per subset of characters. */
export const fontPackages: readonly FontPackage[] = [...alphabets, 'noto-sans-jp', 'noto-sans-kr', 'noto-sans-sc']

/** Unicode ranges of each subset, as in the `unicode.json` of a package: `{ "[4]": "U+4e00,U+4e02-4e05" }`. */
export type SubsetRanges = Readonly<Record<FontPackage, Readonly<Record<string, string>>>>

/** A font file: `inter-latin-wght-normal.woff2` of the package `inter`. */
export type FontFile = { package: FontPackage; name: string }

type Range = { from: number; to: number; file: FontFile }

/**
 * Packages in the order in which a text needs them. Japanese, Korean and Chinese draw the same characters differently:
 * kana mean Japanese, hangul Korean.
 */
export function packagesFor(text: string): FontPackage[] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text))
    return [...alphabets, 'noto-sans-jp', 'noto-sans-sc', 'noto-sans-kr']
  if (/\p{Script=Hangul}/u.test(text)) return [...alphabets, 'noto-sans-kr', 'noto-sans-sc', 'noto-sans-jp']
  return [...alphabets, 'noto-sans-sc', 'noto-sans-jp', 'noto-sans-kr']
}

/**
 * Returns a lookup of the files that may have a code point, in the given order of packages. A range promises
 * characters that its file may lack.
 */
export function fontFileLookup(
  ranges: SubsetRanges,
): (codePoint: number, packages: readonly FontPackage[]) => FontFile[] {
  const byPackage = new Map(fontPackages.map((name) => [name, rangesOf(name, ranges[name])]))
  return (codePoint, packages) =>
    packages.flatMap((name) =>
      (byPackage.get(name) ?? [])
        .filter(({ from, to }) => from <= codePoint && codePoint <= to)
        .map(({ file }) => file),
    )
}

/** The Noto packages repeat Latin and Cyrillic, which are drawn with Inter. Subsets of Chinese are numbered. */
const isUsed = (name: FontPackage, subset: string) =>
  name === 'inter' || subset.startsWith('[') || name === `noto-sans-${subset}`

const rangesOf = (name: FontPackage, subsets: Readonly<Record<string, string>>): Range[] =>
  Object.entries(subsets)
    .filter(([subset]) => isUsed(name, subset))
    .flatMap(([subset, ranges]) => {
      const file = { package: name, name: `${name}-${subset.replace(/[[\]]/g, '')}-wght-normal.woff2` }
      return ranges.split(',').map((range) => ({ ...boundsOf(range), file }))
    })

function boundsOf(range: string): { from: number; to: number } {
  const [from = '', to = from] = range.replace('U+', '').split('-')
  return { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }
}
