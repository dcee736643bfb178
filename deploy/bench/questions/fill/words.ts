import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'

/** A number of our own as it stands: a parameter would be signed, and the rest of a hash then negative. */
export const plain = (value: number): Sql => text(String(value))

/** One of the words, chosen by a hash. */
export const pick = (words: readonly string[], hash: Sql): Sql =>
  sql`arrayElement(${[...words]}, 1 + ${hash} % ${plain(words.length)})`

/** A number with zeros before it. */
export const padded = (number: Sql, digits: number): Sql => sql`leftPad(toString(${number}), ${plain(digits)}, '0')`

const firstNames = `anna ben carla david elena felix greta hugo irina jonas katrin leo maria noah olga paul rosa simon
  tara victor`.split(/\s+/)
const lastNames = `abel berg conti dorn engel fuchs garcia huber ivanov jansen keller lang meyer novak ortega peters
  rossi schmid tanaka weber`.split(/\s+/)

/** Four hundred people. */
export const people = firstNames.flatMap((first) => lastNames.map((last) => `${first}.${last}`))
