import { IconSearch } from '@tabler/icons-react'
import { type CSSProperties, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { navigate } from '#client/app/place/navigate.ts'
import { type Project, projects } from '#events/projects/calls.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { ChartFigure } from '#client/ui/charts/ChartFigure.tsx'
import { arcPath } from '#client/ui/charts/arcs.ts'
import { type ChartPart, minLabeledShare, shareText } from '#client/ui/charts/chartPart.ts'
import { TableSwitch } from '#client/ui/charts/TableSwitch.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { countText, percentText } from '#client/ui/text/count.ts'
import { colour } from '#client/ui/theme/roles.ts'
import { projectLevel } from '#client/ui/values/usage.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { searchedFolders, searchIn } from './projectSearch.ts'
import { type Ring, ringsOf, type Slice } from './rings.ts'
import { forecastText, sizeParts, sizeSummary } from './sizeParts.ts'
import classes from './SizeCard.module.css'

/** Size of a project by storage, relative to its allocated size. */
export function SizeCard({ project }: { project: Project }) {
  const { base } = useSnapshot(sizeSetting)
  const links = useLinks()
  const [isTable, setTable] = useState(false)
  const [hidden, hide] = useState<readonly string[]>([])
  const parts = sizeParts(project, base)
  const usage = project.sizeOfFiles / project.allocatedSize
  const filesOf = (key: string) => {
    const share = project.projectShares.find(({ volumeId }) => String(volumeId) === key)
    const folders = share ? searchedFolders([share]) : []
    return folders.length > 0 ? links.search(searchIn(folders)) : undefined
  }
  const open = (key: string) => {
    const files = filesOf(key)
    if (files !== undefined) navigate(files)
  }
  const toggle = (key: string) => hide(hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key])
  const shown = parts.filter(({ key }) => !hidden.includes(key))
  const title = 'Size by storage'
  return (
    <Panel title={title} actions={<TableSwitch title={title} isTable={isTable} onTurn={setTable} />}>
      <div className="inset">
        <ChartFigure
          summary={sizeSummary(project, base)}
          parts={parts}
          columns={['Storage', 'Size', 'Share']}
          asTable={isTable}
          onPick={open}
        >
          <div className="row wrap gap-8-16">
            <Rings rings={ringsOf(shown, usage)} usage={usage} onPick={open} />
            <ul className={classes.legend} aria-label="Storages of the chart">
              {parts.map((part) => (
                <LegendRow
                  key={part.key}
                  part={part}
                  share={hidden.includes(part.key) ? '' : shareText(part, shown)}
                  isShown={!hidden.includes(part.key)}
                  files={filesOf(part.key)}
                  onToggle={() => toggle(part.key)}
                />
              ))}
            </ul>
          </div>
        </ChartFigure>
        {usage < 1 && <ForecastLine project={project} />}
      </div>
    </Panel>
  )
}

/** Forecast of the day when the allocated size is used up. */
function ForecastLine({ project: { id } }: { project: Project }) {
  const { base } = useSnapshot(sizeSetting)
  const { indexingDate } = useActiveDate()
  const { data } = useRemote(projects.forecast, { params: { id }, query: { indexingDate } }, 'projects', 'snapshots')
  const sentence = data && forecastText(data, base)
  return sentence && <p className="muted top-8">{sentence}</p>
}

type RingsProps = {
  rings: Ring[]
  usage: number
  onPick: (key: string) => void
}

/** The chart. The legend next to it has the same data and is keyboard accessible. */
function Rings({ rings, usage, onPick }: RingsProps) {
  const [first] = rings
  return (
    <svg className={classes.rings} viewBox="-150 -120 300 240" aria-hidden>
      {rings.map(({ outer, inner, slices }) => (
        <g key={outer}>
          <path className={classes.track} d={arcPath(0, 1, outer, inner)} />
          {slices.map((slice) => (
            <path
              key={slice.key}
              className={classes.slice}
              style={{ '--part': colour(slice.role) } as CSSProperties}
              d={arcPath(slice.from, slice.to, outer, inner)}
              onClick={() => onPick(slice.key)}
            >
              <title>{slice.label}</title>
            </path>
          ))}
        </g>
      ))}
      {first?.slices
        .filter(({ role, from, to }) => role !== 'usage-critical' && to - from > minLabeledShare)
        .map((slice) => (
          <SliceLabel
            key={slice.key}
            slice={slice}
            text={percentText(slice.to - slice.from)}
            radius={first.outer + 10}
          />
        ))}
      <text className={classes.usage} data-level={projectLevel(usage)} data-many={rings.length > 1}>
        {usage < 10 ? percentText(usage) : `${countText(Math.floor(usage * 100))} %`}
      </text>
    </svg>
  )
}

/** Share of a slice next to it. */
function SliceLabel({ slice: { from, to }, text, radius }: { slice: Slice; text: string; radius: number }) {
  const angle = Math.PI * (from + to)
  const x = Math.sin(angle) * radius
  return (
    <text
      className={classes.label}
      x={x}
      y={-Math.cos(angle) * radius}
      textAnchor={Math.abs(x) < 12 ? 'middle' : x > 0 ? 'start' : 'end'}
    >
      {text}
    </text>
  )
}

type LegendRowProps = {
  part: ChartPart
  share: string
  isShown: boolean
  /** Link to its files. */
  files: string | undefined
  onToggle: () => void
}

/** A storage in the legend: toggles it in the chart, and links to its files. */
function LegendRow({ part, share, isShown, files, onToggle }: LegendRowProps) {
  return (
    <li>
      <button type="button" className={classes.entry} aria-pressed={isShown} title={part.label} onClick={onToggle}>
        <span className="swatch" style={{ '--part': colour(part.role) } as CSSProperties} aria-hidden />
        <span className="ellipsis pre">{part.label}</span>
        <span className="strong nowrap">{part.text}</span>
        <span className="muted small nowrap right">{share}</span>
      </button>
      {files === undefined ? (
        <span />
      ) : (
        <Link
          href={files}
          className="icon-button muted hover-text focus-inside"
          aria-label={`Files of ${part.label}`}
          title="Show files"
        >
          <IconSearch size={14} stroke={1.5} aria-hidden />
        </Link>
      )}
    </li>
  )
}
