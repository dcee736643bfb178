import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import type { Column } from '#client/ui/table/column.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { percentText } from '#client/ui/text/count.ts'
import type { SizeBase } from '#client/ui/text/size.ts'
import { VirtualTable } from '#client/ui/table/VirtualTable.tsx'
import { visible } from '#client/ui/text/visible.ts'
import type { Colouring } from './colouring.ts'
import { everyNode, folderOf, type MapNode, type MapPlace, placeOf, placeOfNode } from './mapTree.ts'
import { changeOf, nameOf, shareOf } from './mapWords.ts'
import classes from './Map.module.css'

type MapTableProps = {
  root: MapNode
  colouring: Colouring
  picked: readonly string[]
  selected: string | undefined
  onSelect: (place: MapPlace) => void
  onOpen: (place: MapPlace) => void
}

/** The map as a table, largest first, each folder before its contents. */
export function MapTable({ root, colouring, picked, selected, onSelect, onOpen }: MapTableProps) {
  const { base } = useSnapshot(sizeSetting)
  const columns = useMemo(() => columnsOf(root, colouring, base), [root, colouring, base])
  const rows = useMemo(() => {
    const isPicked = (node: MapNode) => picked.length === 0 || picked.includes(colouring.categoryOf(node) ?? '')
    return [...everyNode(root)].filter((node) => node !== root && isPicked(node))
  }, [root, colouring, picked])
  const open = (node: MapNode) => {
    const place = placeOfNode(node)
    const folder = folderOf(node)
    if (place) onSelect(place)
    if (place?.isDirectory === false) onOpen(place)
    else if (folder && folder !== root) onOpen(placeOf(folder.path))
  }
  return (
    <div className={classes.table}>
      <VirtualTable
        label="Map as a table"
        columns={columns}
        rows={rows}
        rowKey={({ key }) => key}
        stateOf={() => ''}
        selected={selected}
        onOpen={open}
      />
    </div>
  )
}

const columnsOf = (root: MapNode, { categoryOf, categories }: Colouring, base: SizeBase): Column<MapNode>[] => [
  { key: 'name', title: 'Name', grows: true, cell: (node) => <bdi title={node.path}>{nameIn(root, node)}</bdi> },
  { key: 'size', title: 'Size', align: 'right', width: '7rem', cell: ({ size }) => <Size bytes={size} /> },
  {
    key: 'share',
    title: 'Share',
    align: 'right',
    width: '5.5rem',
    wideOnly: true,
    cell: (node) => percentText(shareOf(node, root)),
  },
  {
    key: 'colour',
    title: 'Color',
    width: '9rem',
    wideOnly: true,
    cell: (node) => categories.find(({ key }) => key === categoryOf(node))?.label ?? '',
  },
  {
    key: 'change',
    title: 'Change',
    align: 'right',
    width: '7rem',
    room: 'medium',
    cell: (node) => changeOf(node, base),
  },
  { key: 'owner', title: 'Owner', width: '8rem', room: 'medium', cell: ({ entry }) => entry?.owner },
  {
    key: 'lastAccess',
    title: 'Last access',
    width: '10rem',
    room: 'small',
    cell: ({ entry }) => entry && <Moment at={entry.lastAccess} />,
  },
]

/** Path relative to the mapped folder. */
function nameIn(root: MapNode, node: MapNode): string {
  const above = root.path === '/' ? 1 : root.path.length + 1
  if (node.kind !== 'smaller') return visible(node.path.slice(above))
  return [visible(node.path.slice(above)), nameOf(node)].filter(Boolean).join('/')
}
