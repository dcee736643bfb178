import { archiveStateTitles } from '#events/search/archived.ts'
import { type FieldType, fieldTypes } from '#events/search/query.ts'
import { mediaRelationNames } from '#events/media/relations.ts'
import { fieldTitles, operatorsOf, operatorTitles, titleOf } from './conditions.ts'
import { strictSpellings } from './strictBounds.ts'

/** Words with a meaning in the string format, ignoring case. The longest match is used. */
export type Vocabulary = { pattern: RegExp; meanings: Map<string, string> }

function vocabularyOf(meanings: [word: string, meaning: string][]): Vocabulary {
  const words = meanings.map(([word]) => word).sort((one, other) => other.length - one.length)
  const patterns = words.map((word) => word.replaceAll(' ', String.raw`\s+`))
  return {
    // A word that ends in a letter must not be followed by a letter.
    pattern: new RegExp(String.raw`(?:${patterns.join('|')})(?:(?<![\p{L}\d])|(?![\p{L}\d_]))`, 'iuy'),
    meanings: new Map(meanings.map(([word, meaning]) => [word.toLowerCase(), meaning])),
  }
}

export const and = vocabularyOf([['AND', 'AND']])
export const or = vocabularyOf([['OR', 'OR']])
export const not = vocabularyOf([['NOT', 'NOT']])
export const keyword = vocabularyOf([...and.meanings, ...or.meanings, ...not.meanings])
export const yesOrNo = vocabularyOf([
  ['yes', 'true'],
  ['true', 'true'],
  ['no', 'false'],
  ['false', 'false'],
])
export const archiveStateNames = vocabularyOf(
  Object.entries(archiveStateTitles).flatMap(([state, title]): [string, string][] => [
    [title, state],
    [state, state],
  ]),
)
/** Written before the ID of a deleted storage. */
export const invalid = vocabularyOf([['Invalid', 'Invalid']])

/** Fields by their titles and by their names in calls. */
export const fieldNames = vocabularyOf([
  ...Object.entries(fieldTitles).flatMap(([field, title]): [string, string][] => [
    [title, field],
    [field, field],
  ]),
  ...mediaRelationNames.map((field): [string, string] => [titleOf(field), field]),
  ['Storage', 'volumeId'],
  ['Tags', 'customTags'],
])

/** Other spellings of the operators of a type. Strict bounds become bounds that include their value, see `strictBounds.ts`. */
const spellings: Record<FieldType, Record<string, string>> = {
  string: { '=': 'value', in: 'values' },
  long: { '=': 'value', '>=': 'min', '<=': 'max', in: 'values', ...strictSpellings('number') },
  double: { '=': 'value', '>=': 'min', '<=': 'max', in: 'values', ...strictSpellings('number') },
  integer: { '=': 'value', '>=': 'min', '<=': 'max', in: 'values', ...strictSpellings('number') },
  date: { '>=': 'after', '<': 'before', ...strictSpellings('date') },
  boolean: { '=': 'value' },
  list: { '=': 'values', in: 'values' },
  choice: { '=': 'values', in: 'values' },
}

/** Operators of a type: as words in a sentence, as titles, and as signs. */
export const operatorNames = Object.fromEntries(
  fieldTypes.map((type) => [
    type,
    vocabularyOf([
      ...Object.entries(operatorsOf[type]).flatMap(([operator, words]) =>
        [words, operatorTitles[operator]].flatMap((word): [string, string][] => (word ? [[word, operator]] : [])),
      ),
      ...Object.entries(spellings[type]),
    ]),
  ]),
) as Record<FieldType, Vocabulary>
