import { useEffect, useId, useRef } from 'react'
import { useSnapshot } from 'valtio'
import type { Sort } from '../../ui/column.ts'
import { useDrawnRows } from '../../ui/useDrawnRows.ts'
import { isSelected as isIn, newSelection, type Selection } from '../selection/selection.ts'
import { EndRow } from './EndRow.tsx'
import { useRowTooltip } from './RowTooltip.tsx'
import { rowHeight } from './rowHeight.ts'
import { type RowElement, useRowElements } from './rowElements.ts'
import type { TreeColumn } from './treeColumn.ts'
import { TreeHead } from './TreeHead.tsx'
import { largestChange, levelAt, readRow, standing, type TreeEntry } from './treeModel.ts'
import { entryAt } from './treeMoves.ts'
import { TreeRow } from './TreeRow.tsx'
import { see, type TreeStore } from './treeStore.ts'
import { useActiveRow } from './useActiveRow.ts'
import { type TreeDeeds, useTreeHands } from './useTreeHands.ts'
import { useWantedFile } from './useWantedFile.ts'
import long from '../../ui/LongTable.module.css'
import classes from './Tree.module.css'

type FolderTreeProps = {
  store: TreeStore
  /** Bytes of the folder that the tree shows; the shares of what lies directly in it are of this. */
  rootSize: number | undefined
  column: TreeColumn | undefined
  /** Without it the tree stays as its store asks for it. */
  onSort?: (sort: Sort) => void
  /** Without it nothing can be selected. */
  selection?: Selection
  /** The node that is shown beside the tree. */
  shown?: number | undefined
  /** A file that is looked for, shown and brought into sight. */
  fileName?: string | undefined
  mayTag?: boolean
  onShow?: (node: number | undefined) => void
  deeds: TreeDeeds
}

/** A folder and what lies in it, as deep as it is opened. Only the rows in sight are drawn, and read. */
export function FolderTree(props: FolderTreeProps) {
  const { store, column, deeds, onShow = ignored } = props
  const { tree, asked } = store
  const chosen = useSnapshot(props.selection ?? none) as Selection
  const selection = props.selection && chosen
  const scroller = useRef<HTMLDivElement>(null)
  const activeRow = useActiveRow(store, scroller, onShow)
  const hands = useTreeHands(store, activeRow, deeds)
  const { tooltip, watch } = useRowTooltip((index) => entryAt(tree, index))
  const indexes = useDrawnRows(scroller, tree.rows.length, activeRow.active, rowHeight)
  const { codes } = tree.rows
  const id = useId()
  const isWhole = indexes.length === tree.rows.length
  const placeOf = new Map(indexes.map((index) => [codes[index] as number, index]))
  const elements = useRowElements([...placeOf.keys()], codes[activeRow.active] as number, isWhole)
  useEffect(() => see(store, indexes))
  useWantedFile(store, props.fileName, scroller, activeRow)
  const role = {
    role: 'treegrid',
    'aria-multiselectable': selection !== undefined,
    'aria-rowcount': tree.rows.length + 1,
    'data-column': column && (column.isOfChanges ? 'changes' : 'values'),
    ...hands,
  } as const
  return (
    <div ref={scroller} className={`${long.scroller} ${classes.scroller}`} {...watch}>
      <table className={`${long.table} ${classes.table}`} aria-label="Folders and files" {...role}>
        <TreeHead column={column} sort={{ field: asked.sort, direction: asked.direction }} onSort={props.onSort} />
        <tbody
          style={{ height: tree.rows.length * rowHeight }}
          aria-owns={isWhole ? undefined : inOrder(id, elements, placeOf)}
        >
          {elements.map(({ element, row }) =>
            drawRow(props, selection, { id, element, index: placeOf.get(row) as number, active: activeRow.active }),
          )}
        </tbody>
      </table>
      {tooltip}
    </div>
  )
}

const none = newSelection()
const ignored = () => {}

const idOf = (tree: string, element: number) => `${tree}${element}`

/** The ids of rows from top to bottom, for those who hear the page: an element stays where it is in the page, whatever it draws. */
function inOrder(tree: string, elements: RowElement[], placeOf: Map<number, number>): string {
  const elementOf = new Map(elements.map(({ element, row }) => [row, element]))
  return [...placeOf.keys()].map((row) => idOf(tree, elementOf.get(row) as number)).join(' ')
}

type Drawn = { id: string; element: number; index: number; active: number }

function drawRow(props: FolderTreeProps, selection: Selection | undefined, { id, element, index, active }: Drawn) {
  const { tree } = props.store
  if (index >= tree.rows.length) return null
  const { node, is } = readRow(tree, index)
  const place = { id: idOf(id, element), index, level: levelAt(tree, index), isActive: index === active }
  if (is !== 'entry') return <EndRow key={element} tree={tree} node={node} is={is} {...place} />
  const entry = tree.entries[node] as TreeEntry
  const whole = tree.entries[tree.parents[node] as number]?.size ?? props.rootSize ?? 0
  return (
    <TreeRow
      key={element}
      entry={entry}
      {...place}
      {...standing(tree, node)}
      isOpen={tree.isOpen[node] === true}
      isSelected={selection && isIn(selection, entry)}
      isShown={node === props.shown}
      share={whole > 0 && entry.size > 0 ? Math.min(1, entry.size / whole) : 0}
      column={props.column}
      most={largestChange(tree, node)}
      mayTag={props.mayTag ?? false}
    />
  )
}
