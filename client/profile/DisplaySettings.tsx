import { type MantineColorScheme, Switch, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useSnapshot } from 'valtio'
import { Panel } from '#client/ui/Panel.tsx'
import { PathText } from '#client/ui/values/PathText.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { setDisplayOption, displayOptions, useNameText } from '#client/ui/values/displayOptions.state.ts'
import { chooseSizeBase, sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import type { SizeBase } from '#client/ui/text/size.ts'
import { Segments } from '#client/ui/form/Segments.tsx'
import classes from './Profile.module.css'

const bases: Record<SizeBase, string> = { '2': '2 (KiB, MiB)', '10': '10 (kB, MB)' }
const schemes: Record<MantineColorScheme, string> = { light: 'Light', dark: 'Dark', auto: 'Same as system' }

/** Sizes that read differently in each base, and a name and a path that are always shortened. */
const exampleSizes = [1_500, 2_000_000_000, 8_796_093_022_208]
const exampleName = 'interview_berlin_2026-11-21_camera-b_take-07.mov'
const examplePath = `/mnt/projects/documentary/2026/november/rushes/${exampleName}`

/** Display options of this browser. */
export function DisplaySettings() {
  const { base } = useSnapshot(sizeSetting)
  const { names, paths, hidden } = useSnapshot(displayOptions)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Panel title="User Settings" note="Saved in this browser, for everyone who uses it">
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
          isOn={names}
          onChange={(isOn) => setDisplayOption('names', isOn)}
          example={<ExampleName />}
        />
        <Toggle
          label="Condensed paths"
          isOn={paths}
          onChange={(isOn) => setDisplayOption('paths', isOn)}
          example={<PathText path={examplePath} />}
        />
        <Toggle
          label="Show hidden directories"
          isOn={hidden}
          onChange={(isOn) => setDisplayOption('hidden', isOn)}
          example={hidden ? 'rushes, .cache, .trash' : 'rushes'}
        />
        <Choice label="Colors" of={schemes} chosen={colorScheme} choose={setColorScheme} example={<Scheme />} />
      </div>
    </Panel>
  )
}

type RowProps = { label: string; id: string; example: ReactNode; children: ReactNode }

function Row({ label, id, example, children }: RowProps) {
  return (
    <div className={classes.setting}>
      <span className="muted" id={id}>
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
  const data = Object.entries<string>(of).map(([value, label]) => ({ value: value as T, label }))
  return (
    <Row label={label} id={id} example={example}>
      <Segments labelledBy={id} options={data} chosen={chosen} onChoose={choose} />
    </Row>
  )
}

type ToggleProps = { label: string; isOn: boolean; onChange: (isOn: boolean) => void; example: ReactNode }

function Toggle({ label, isOn, onChange, example }: ToggleProps) {
  const id = useId()
  return (
    <Row label={label} id={id} example={example}>
      <Switch aria-labelledby={id} checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    </Row>
  )
}

function ExampleName() {
  return <span title={exampleName}>{useNameText(exampleName)}</span>
}

/** The active color scheme, which may be the system's. */
function Scheme() {
  const scheme = useComputedColorScheme()
  return <span className={classes.scheme}>{scheme === 'dark' ? 'Light on dark' : 'Dark on light'}</span>
}
