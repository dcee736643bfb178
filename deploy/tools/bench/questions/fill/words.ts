import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'

/** A numeric literal. As a parameter it would be signed, which makes the rest of a hash negative. */
export const plain = (value: number): Sql => text(String(value))

/** One of the words, selected by a hash. */
export const pick = (words: readonly string[], hash: Sql): Sql =>
  sql`arrayElement(${[...words]}, 1 + ${hash} % ${plain(words.length)})`

/** A number with leading zeros. */
export const padded = (number: Sql, digits: number): Sql => sql`leftPad(toString(${number}), ${plain(digits)}, '0')`

const firstNames = `anna ben carla david elena felix greta hugo irina jonas katrin leo maria noah olga paul rosa simon
  tara victor`.split(/\s+/)
const lastNames = `abel berg conti dorn engel fuchs garcia huber ivanov jansen keller lang meyer novak ortega peters
  rossi schmid tanaka weber`.split(/\s+/)

/** Four hundred user names. */
export const people = firstNames.flatMap((first) => lastNames.map((last) => `${first}.${last}`))
