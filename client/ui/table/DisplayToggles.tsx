import type { KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import { setDisplayOption, displayOptions } from '#client/ui/values/displayOptions.state.ts'
import { chooseSizeBase, sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { moveAmong } from './arrowKeys.ts'
import classes from './DisplayToggles.module.css'

const moveOn = (event: KeyboardEvent<HTMLButtonElement>) =>
  moveAmong(event, event.currentTarget.closest('fieldset'), 'button')

/** Display options of a list: sizes in powers of 1024 or 1000, full or shortened names and paths. They are a single tab stop. */
export function DisplayToggles() {
  const { names, paths } = useSnapshot(displayOptions)
  const { base } = useSnapshot(sizeSetting)
  const other = base === '2' ? '10' : '2'
  return (
    <fieldset className="flex shrink gap-4" aria-label="Display options">
      <button
        type="button"
        className={classes.toggle}
        onKeyDown={moveOn}
        title={base === '2' ? 'Sizes are in powers of 1024' : 'Sizes are in powers of 1000'}
        onClick={() => chooseSizeBase(other)}
      >
        {base === '2' ? 'KiB' : 'kB'}
      </button>
      <button
        type="button"
        className={classes.toggle}
        onKeyDown={moveOn}
        aria-pressed={names}
        tabIndex={-1}
        onClick={() => setDisplayOption('names', !names)}
      >
        Condensed names
      </button>
      <button
        type="button"
        className={classes.toggle}
        onKeyDown={moveOn}
        aria-pressed={paths}
        tabIndex={-1}
        onClick={() => setDisplayOption('paths', !paths)}
      >
        Condensed paths
      </button>
    </fieldset>
  )
}
