import { Select } from '@mantine/core'
import { type CsvColumns, type CsvField, csvFields, firstRows, shownColumns } from './csvFields.ts'
import classes from './Imports.module.css'

type ColumnMappingProps = {
  start: string
  columns: CsvColumns
  onChange: (columns: CsvColumns) => void
}

const options = Object.entries(csvFields).map(([value, label]) => ({ value, label }))

/** The first rows of a CSV, with the field that each column is. */
export function ColumnMapping({ start, columns, onChange }: ColumnMappingProps) {
  const rows = firstRows(start)
  const chosen = shownColumns(start, columns)
  const fieldAt = (at: number) => (Object.keys(chosen) as CsvField[]).find((field) => chosen[field] === at) ?? null
  const choose = (at: number, field: CsvField | null) => {
    const others = Object.entries(chosen).filter(([name, place]) => place !== at && name !== field)
    onChange({ ...Object.fromEntries(others), ...(field && { [field]: at }) })
  }
  const width = Math.max(0, ...rows.map((row) => row.length))
  return (
    <div className={classes.preview}>
      <table aria-label="First rows">
        <thead>
          <tr>
            {Array.from({ length: width }, (_, at) => (
              <th key={at} scope="col">
                <Select
                  size="xs"
                  aria-label={`Field of column ${at + 1}`}
                  placeholder="Not used"
                  data={options}
                  value={fieldAt(at)}
                  clearable
                  onChange={(field) => choose(at, field as CsvField | null)}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {Array.from({ length: width }, (_, column) => (
                <td key={column}>{row[column]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
