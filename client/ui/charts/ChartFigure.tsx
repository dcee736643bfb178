import type { ReactNode } from 'react'
import type { ChartPart, OnPick } from './chartPart.ts'
import classes from './ChartFigure.module.css'

type ChartFigureProps = {
  /** One sentence that describes the chart. */
  summary: string
  parts: readonly ChartPart[]
  /** Column titles of the table: first the labels, then each cell. */
  columns: string[]
  asTable: boolean
  onPick?: OnPick
  children: ReactNode
}

/** A chart with a sentence for screen readers, or its numbers as a table. */
export function ChartFigure({ summary, parts, columns, asTable, onPick, children }: ChartFigureProps) {
  return (
    <figure className="shrink">
      <figcaption className="unseen">{summary}</figcaption>
      {asTable ? <PartsTable parts={parts} columns={columns} onPick={onPick} /> : children}
    </figure>
  )
}

type PartsTableProps = Pick<ChartFigureProps, 'parts' | 'columns'> & { onPick: OnPick | undefined }

function PartsTable({ parts, columns, onPick }: PartsTableProps) {
  return (
    <div className={classes.frame}>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <tr key={part.key}>
              <th scope="row" title={part.label}>
                {onPick && part.isPickable ? (
                  <button type="button" className="ellipsis accent pre focus-inside" onClick={() => onPick(part.key)}>
                    {part.label}
                  </button>
                ) : (
                  part.label
                )}
              </th>
              {part.cells.map((cell, place) => (
                <td key={columns[place + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
