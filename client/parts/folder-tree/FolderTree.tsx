import { type RefObject, useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import type { Sort, Column } from '#client/ui/table/column.ts'
import { useDrawnRows } from '#client/ui/table/virtualRows.tsx'
import { useKeysAnywhere } from '#client/ui/table/useKeysAnywhere.ts'
import { isSelected as isIn, newSelection, type Selection } from '#client/parts/selection/selection.ts'
import { TableHeading } from '#client/ui/table/TableHeading.tsx'
import { EndRow } from './EndRow.tsx'
import { useRowTooltip } from './RowTooltip.tsx'
import { rowHeight, type RowElement, useRowElements } from './rowElements.ts'
import type { TreeColumn } from './treeColumn.ts'
import { largestChange, levelAt, placeOf, readRow, ariaPosition, type TreeEntry } from './treeModel.ts'
import { entryAt } from './treeLookup.ts'
import { TreeRow } from './TreeRow.tsx'
import { loadVisible, type TreeStore } from './treeStore.ts'
import { useActiveRow } from './useActiveRow.ts'
import { type TreeActions, useTreeInteraction } from './useTreeInteraction.ts'
import { type RevealedPlace, useReveal } from './useReveal.ts'
import { useScrollToFile } from './useScrollToFile.ts'
import long from '#client/ui/table/LongTable.module.css'
import classes from './Tree.module.css'

type FolderTreeProps = {
  store: TreeStore
  /** Size of the tree's root folder in bytes, for the shares of its direct children. */
  rootSize: number | undefined
  column: TreeColumn | undefined
  /** Without it, the tree can't be sorted. */
  onSort?: (sort: Sort) => void
  /** Without it, nothing can be selected. */
  selection?: Selection
  /** Node shown in the panel next to the tree. */
  shown?: number | undefined
  /** File to select and scroll to. */
  fileName?: string | undefined
  /** Entry of any depth to select and scroll to. */
  revealed?: RevealedPlace | undefined
  mayTag?: boolean
  onShow?: (node: number | undefined) => void
  actions: TreeActions
}

/** Tree of a folder. Only visible rows are loaded and rendered. */
export function FolderTree(props: FolderTreeProps) {
  const { store, column, actions, onShow = ignored } = props
  const { tree, query } = store
  const chosen = useSnapshot(props.selection ?? none) as Selection
  const selection = props.selection && chosen
  const scroller = useRef<HTMLDivElement>(null)
  const activeRow = useActiveRow(store, scroller, onShow)
  const handlers = useTreeInteraction(store, activeRow, actions)
  useKeysAnywhere({
    rows: tree.rows.codes.subarray(0, tree.rows.length),
    scroller,
    at: activeRow.isUsed ? activeRow.active : undefined,
    moveTo: activeRow.moveTo,
    onSelect: (code) => {
      const entry = entryAt(tree, placeOf(tree.rows, code))
      if (entry && !entry.isRemoved) actions.onToggle?.(entry)
    },
  })
  const { tooltip, watch } = useRowTooltip((index) => entryAt(tree, index))
  const indexes = useDrawnRows(scroller, tree.rows.length, activeRow.active, rowHeight)
  const { codes } = tree.rows
  const id = useId()
  const isWhole = indexes.length === tree.rows.length
  const placeOfRow = new Map(indexes.map((index) => [codes[index] as number, index]))
  const elements = useRowElements([...placeOfRow.keys()], codes[activeRow.active] as number, isWhole)
  useEffect(() => loadVisible(store, indexes))
  const keepPlace = useKeepPlace(store, scroller)
  useScrollToFile(store, props.fileName, scroller, activeRow)
  useReveal(store, props.revealed, scroller, activeRow)
  const role = {
    role: 'treegrid',
    'aria-multiselectable': selection !== undefined,
    'aria-rowcount': tree.rows.length + 1,
    'data-column': column && (column.isOfChanges ? 'changes' : 'values'),
    ...handlers,
  } as const
  return (
    <div ref={scroller} className={`${long.scroller} ${classes.scroller}`} onScroll={keepPlace} {...watch}>
      <table className={`${long.table} ${classes.table}`} aria-label="Folders and files" {...role}>
        <TreeHead column={column} sort={{ field: query.sort, direction: query.direction }} onSort={props.onSort} />
        <tbody
          style={{ height: tree.rows.length * rowHeight }}
          aria-owns={isWhole ? undefined : inOrder(id, elements, placeOfRow)}
        >
          {elements.map(({ element, row }) =>
            drawRow(props, selection, { id, element, index: placeOfRow.get(row) as number, active: activeRow.active }),
          )}
        </tbody>
      </table>
      {tooltip}
    </div>
  )
}

/** Keeps the topmost row in its place when rows above it are added or removed. Returns a function to call after a scroll. */
function useKeepPlace({ tree }: TreeStore, scroller: RefObject<HTMLElement | null>): () => void {
  const topmost = useRef({ code: 0, index: 0 })
  const remember = () => {
    const index = Math.floor((scroller.current?.scrollTop ?? 0) / rowHeight)
    topmost.current = { code: tree.rows.codes[index] ?? 0, index }
  }
  const keep = useEffectEvent(() => {
    const { code, index } = topmost.current
    const moved = index > 0 ? placeOf(tree.rows, code) - index : 0
    if (moved !== 0 && moved !== -index - 1) scroller.current?.scrollBy({ top: moved * rowHeight })
    remember()
  })
  useLayoutEffect(() => keep())
  return remember
}

const none = newSelection()
const ignored = () => {}

const idOf = (tree: string, element: number) => `${tree}${element}`

/** Row ids in visual order, for `aria-owns`, since elements are reused for other rows and don't move in the DOM. */
function inOrder(tree: string, elements: RowElement[], placeOf: Map<number, number>): string {
  const elementOf = new Map(elements.map(({ element, row }) => [row, element]))
  return [...placeOf.keys()].map((row) => idOf(tree, elementOf.get(row) as number)).join(' ')
}

type RowPlacement = { id: string; element: number; index: number; active: number }

function drawRow(
  props: FolderTreeProps,
  selection: Selection | undefined,
  { id, element, index, active }: RowPlacement,
) {
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
      {...ariaPosition(tree, node)}
      isOpen={tree.isOpen[node] === true}
      isSelected={selection && isIn(selection, entry)}
      isShown={node === props.shown}
      share={whole > 0 && entry.size > 0 ? Math.min(1, entry.size / whole) : 0}
      column={props.column}
      max={largestChange(tree, node)}
      mayTag={props.mayTag ?? false}
    />
  )
}

const noCell = () => null
const nameColumn: Column<TreeEntry> = { key: 'name', title: 'NAME', sortable: true, cell: noCell }
const sizeColumn: Column<TreeEntry> = { key: 'size', title: 'SIZE', sortable: true, align: 'right', cell: noCell }

type TreeHeadProps = { column: TreeColumn | undefined; sort: Sort; onSort: ((sort: Sort) => void) | undefined }

/** Header of the tree. A click sorts, another click reverses the order. */
function TreeHead({ column, sort, onSort }: TreeHeadProps) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <TableHeading column={nameColumn} sort={sort} onSort={onSort} />
        <TableHeading column={sizeColumn} sort={sort} onSort={onSort} />
        {column && <TableHeading column={titleOf(column)} sort={sort} onSort={onSort} />}
      </tr>
    </thead>
  )
}

const titleOf = ({ key, title, hint, sortable }: TreeColumn): Column<TreeEntry> => ({
  key,
  title,
  ...(hint !== undefined && { hint }),
  sortable,
  cell: noCell,
})
