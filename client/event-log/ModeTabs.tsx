import { type Mode, modes } from './useAddress.ts'
import classes from './ModeTabs.module.css'

const titles: Record<Mode, string> = { live: 'Live', browse: 'Browse', replay: 'Replay' }

type ModeTabsProps = { mode: Mode; isSandbox: boolean; show: (mode: Mode) => void }

/** The ways to look at the log; a file has no live one. */
export function ModeTabs({ mode, isSandbox, show }: ModeTabsProps) {
  return (
    <nav className={classes.tabs} aria-label="Event log">
      {modes
        .filter((one) => !isSandbox || one !== 'live')
        .map((one) => (
          <button
            key={one}
            type="button"
            className={classes.tab}
            aria-current={one === mode ? 'page' : undefined}
            onClick={() => show(one)}
          >
            {titles[one]}
          </button>
        ))}
    </nav>
  )
}
