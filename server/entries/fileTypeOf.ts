import { extensionsOf, fileTypeNames, otherType, typedExtensions } from '#events/search/fileTypes.ts'
import { type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'

const types = fileTypeNames.flatMap((type) => extensionsOf(type).map(() => type))

/** The type of a file by its extension, `other` if it has none of the known ones. */
export const typeOfFile: Sql = sql`transform(lower(extension), ${typed(typedExtensions, 'Array(String)')}, ${typed(types, 'Array(String)')}, ${otherType})`
