import { ActionIcon, Button, NativeSelect } from '@mantine/core'
import { IconArrowUp, IconChartTreemap, IconTable } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { AsOfDay } from '#client/app/AsOfDay.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { visible } from '#client/ui/text/visible.ts'
import { type ColourBy, colourings } from './colouring.ts'
import { chooseColour, chooseShape, mapSettings, type Shape, shapes, showAsTable } from './mapSettings.state.ts'
import type { GrowthBaseline } from './useFolderMap.ts'
import classes from './Map.module.css'

const shapeWords: Record<Shape, string> = { treemap: 'Treemap', sunburst: 'Sunburst' }
const colourWords: Record<ColourBy, string> = {
  age: 'Age',
  type: 'Type',
  owner: 'Owner',
  growth: 'Growth',
  depth: 'Depth',
}

type MapToolbarProps = {
  path: string
  /** Name of the storage, where the screen doesn't show it elsewhere. */
  storage?: string | undefined
  size: number | undefined
  compared: GrowthBaseline | undefined
  onUp: (() => void) | undefined
}

/** Mapped folder, link to its parent, and display options. */
export function MapToolbar({ path, storage, size, compared, onUp }: MapToolbarProps) {
  const { shape, colour, asTable } = useSnapshot(mapSettings)
  return (
    <div className={classes.toolbar}>
      <div className={classes.place}>
        <ActionIcon variant="default" aria-label="Parent folder" title="Parent folder" disabled={!onUp} onClick={onUp}>
          <IconArrowUp size={16} stroke={1.5} />
        </ActionIcon>
        {storage !== undefined && <strong>{storage}</strong>}
        <bdi className={classes.path} title={path}>
          {visible(path)}
        </bdi>
        {size !== undefined && <Size bytes={size} />}
      </div>
      <div className="row wrap gap-8">
        <NativeSelect
          aria-label="Shape"
          data={shapes.map((value) => ({ value, label: shapeWords[value] }))}
          value={shape}
          disabled={asTable}
          onChange={({ currentTarget }) => chooseShape(currentTarget.value as Shape)}
        />
        <NativeSelect
          aria-label="Color by"
          data={colourings.map((value) => ({ value, label: `Color: ${colourWords[value]}` }))}
          value={colour}
          onChange={({ currentTarget }) => chooseColour(currentTarget.value as ColourBy)}
        />
        {compared && <AsOfDay />}
        {compared && <Since {...compared} />}
        <Button
          variant="default"
          leftSection={asTable ? <IconChartTreemap size={16} stroke={1.5} /> : <IconTable size={16} stroke={1.5} />}
          onClick={() => showAsTable(!asTable)}
        >
          {asTable ? 'Show as map' : 'Show as table'}
        </Button>
      </div>
    </div>
  )
}

function Since({ dates, date, choose }: GrowthBaseline) {
  if (dates.length === 0) return <span className="muted small">There is no earlier snapshot.</span>
  return (
    <NativeSelect
      aria-label="Since"
      data={dates.map((value) => ({ value, label: `Since ${value}` }))}
      value={date ?? ''}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    />
  )
}
