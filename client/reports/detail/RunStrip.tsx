import { type CSSProperties, useId } from 'react'
import type { ReportRun } from '#events/reports/runs.ts'
import { heightsOf, runText, toneOf } from './runTicks.ts'
import classes from './Runs.module.css'

type RunStripProps = {
  /** Newest first. */
  runs: readonly ReportRun[]
  shown: ReportRun
  onShow: (run: ReportRun) => void
}

/** A tick for each run, the newest on the right. Arrow keys move between them. */
export function RunStrip({ runs, shown, onShow }: RunStripProps) {
  const name = useId()
  const ticks = runs.toReversed()
  const heights = heightsOf(ticks)
  return (
    <fieldset className={classes.strip} aria-label="Runs" ref={showNewest}>
      {ticks.map((run, place) => (
        <label
          key={run.id}
          className={classes.tick}
          data-tone={toneOf(run)}
          title={runText(run)}
          style={{ '--height': heights[place] } as CSSProperties}
        >
          <input
            type="radio"
            name={name}
            aria-label={runText(run)}
            checked={run.id === shown.id}
            onChange={() => onShow(run)}
          />
          <span aria-hidden />
        </label>
      ))}
    </fieldset>
  )
}

const showNewest = (strip: HTMLElement | null) => {
  if (strip) strip.scrollLeft = strip.scrollWidth
}
