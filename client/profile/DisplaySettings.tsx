import { type MantineColorScheme, SegmentedControl, Switch, useMantineColorScheme } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useSnapshot } from 'valtio'
import { Moment } from '../ui/Moment.tsx'
import { Panel } from '../ui/Panel.tsx'
import { PathText } from '../ui/PathText.tsx'
import { Size } from '../ui/Size.tsx'
import { useNow } from '../ui/clock.ts'
import { show, shown, useNameText } from '../ui/shown.state.ts'
import { chooseSizeBase, sizeSetting } from '../ui/sizeBase.state.ts'
import type { SizeBase } from '../ui/text/size.ts'
import classes from './Profile.module.css'

const bases: Record<SizeBase, string> = { '2': '2 (KiB, MiB)', '10': '10 (kB, MB)' }
const schemes: Record<MantineColorScheme, string> = { light: 'Light', dark: 'Dark', auto: 'As the system' }

/** Three sizes that read differently in each base, and a name and a path too long for any condensed form. */
const exampleSizes = [1_500, 2_000_000_000, 8_796_093_022_208]
const exampleName = 'interview_berlin_2026-11-21_camera-b_take-07.mov'
const examplePath = `/mnt/projects/documentary/2026/november/rushes/${exampleName}`

/** How things are shown to whoever uses this browser. */
export function DisplaySettings() {
  const { base } = useSnapshot(sizeSetting)
  const { names, paths, hidden } = useSnapshot(shown)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Panel title="User Settings" note="Kept in this browser, for everyone who uses it">
      <div className={classes.settings}>
        <Choice
          label="Unit base"
          of={bases}
          chosen={base}
          choose={chooseSizeBase}
          example={exampleSizes.map((bytes) => (
            <Size key={bytes} bytes={bytes} />
          ))}
        />
        <Toggle
          label="Condensed file and folder names"
          on={names}
          turn={(wanted) => show('names', wanted)}
          example={<ExampleName />}
        />
        <Toggle
          label="Condensed paths"
          on={paths}
          turn={(wanted) => show('paths', wanted)}
          example={<PathText path={examplePath} />}
        />
        <Toggle
          label="Show hidden directories"
          on={hidden}
          turn={(wanted) => show('hidden', wanted)}
          example={hidden ? 'rushes, .cache, .trash' : 'rushes'}
        />
        <Choice label="Colours" of={schemes} chosen={colorScheme} choose={setColorScheme} example={<Now />} />
      </div>
    </Panel>
  )
}

type RowProps = { label: string; id: string; example: ReactNode; children: ReactNode }

function Row({ label, id, example, children }: RowProps) {
  return (
    <div className={classes.setting}>
      <span className={classes.label} id={id}>
        {label}
      </span>
      <span>{children}</span>
      <span className={classes.example}>{example}</span>
    </div>
  )
}

type ChoiceProps<T extends string> = {
  label: string
  of: Record<T, string>
  chosen: T
  choose: (one: T) => void
  example: ReactNode
}

function Choice<T extends string>({ label, of, chosen, choose, example }: ChoiceProps<T>) {
  const id = useId()
  const data = Object.entries<string>(of).map(([value, label]) => ({ value, label }))
  return (
    <Row label={label} id={id} example={example}>
      <SegmentedControl
        aria-labelledby={id}
        size="xs"
        data={data}
        value={chosen}
        onChange={(value) => choose(value as T)}
      />
    </Row>
  )
}

type ToggleProps = { label: string; on: boolean; turn: (wanted: boolean) => void; example: ReactNode }

function Toggle({ label, on, turn, example }: ToggleProps) {
  const id = useId()
  return (
    <Row label={label} id={id} example={example}>
      <Switch aria-labelledby={id} checked={on} onChange={({ currentTarget }) => turn(currentTarget.checked)} />
    </Row>
  )
}

function ExampleName() {
  return <span title={exampleName}>{useNameText(exampleName)}</span>
}

function Now() {
  return <Moment at={new Date(useNow()).toISOString()} />
}
