import { useDebouncedValue } from '@mantine/hooks'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { UntouchedDays } from '#events/policies/policies.ts'
import { type Simulation, simulatePolicy } from '#events/policies/simulations.ts'
import { useRemote } from '#client/app/remote.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { ReloadLine } from '#client/ui/feedback/ReloadLine.tsx'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { Warning } from '#client/ui/feedback/Warning.tsx'
import { Segments } from '#client/ui/form/Segments.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { counted } from '#client/ui/text/count.ts'
import { useSizeBase } from '#client/ui/values/sizeBase.state.ts'
import { type Tried, trialSentence } from '#client/policies/policyWords.ts'
import { AgeCurves } from './AgeCurves.tsx'
import { AgeDetails } from './AgeDetails.tsx'

/** Ages of the curve, in days. */
const curveDays = [30, 60, 90, 120, 180, 270, 365, 545, 730, 1_000]
/** Delay between typing an age and trying it, in milliseconds. */
const debounceMs = 500

type TrialProps = Tried & {
  /** Age in the form, in days; may be invalid. */
  days: number
  onDays: (days: number) => void
  isFolded: boolean
}

/** Results of the policy if it had run in the past, by its age. */
export function Trial({ isFolded, ...trial }: TrialProps) {
  return (
    <Panel title="Try it on the past" {...(isFolded && { folds: 'closed' })}>
      <Tries {...trial} />
    </Panel>
  )
}

function Tries({ search, action, days, onDays }: Omit<TrialProps, 'isFolded'>) {
  const tried = { search, action }
  const [typed] = useDebouncedValue(days, debounceMs)
  const own = UntouchedDays.safeParse(typed).success && !curveDays.includes(typed) ? [typed] : undefined
  const curve = useRemote(simulatePolicy, { body: { ...tried, days: curveDays } }, 'snapshots')
  const between = useRemote(simulatePolicy, own && { body: { ...tried, days: own } }, 'snapshots')
  return (
    <div className="stack inset gap-16 relative">
      {curve.loading && curve.data && <ReloadLine />}
      <RemoteContent remote={curve} skeleton={<Trying />}>
        {(simulation) =>
          simulation.from === null || simulation.snapshots < 2 ? (
            <Notice icon={IconHistory}>
              No history yet. A trial needs at least two snapshots: try again after the next scans.
            </Notice>
          ) : (
            <Results tried={tried} days={days} onDays={onDays} simulation={withAges(simulation, own && between.data)} />
          )
        }
      </RemoteContent>
    </div>
  )
}

const Trying = () => (
  <>
    <output className="muted">Comparing your snapshots. This takes some seconds.</output>
    <Skeleton rows={6} />
  </>
)

/** Adds the age in the form to those of the curve. */
const withAges = (simulation: Simulation, other: Simulation | undefined): Simulation => ({
  ...simulation,
  ages: [...simulation.ages, ...(other?.ages ?? [])].toSorted((one, other) => one.days - other.days),
})

type ResultsProps = { tried: Tried; days: number; onDays: (days: number) => void; simulation: Simulation }

function Results({ tried, days, onDays, simulation }: ResultsProps) {
  const base = useSizeBase()
  const [measure, setMeasure] = useState('size')
  const { ages, withoutAccessTimes, keepsAccessTimes, snapshots } = simulation
  const age = ages.find((age) => age.days === days)
  const isAge = UntouchedDays.safeParse(days).success
  const sentence = age
    ? trialSentence(simulation, age, base)
    : isAge
      ? 'Trying this age …'
      : 'Enter a number of days, or choose a point.'
  const currencies = [...new Set(ages.flatMap(({ total }) => total.money.map((one) => one.currencySymbol)))]
  return (
    <>
      <p aria-live="polite">
        <strong>{sentence}</strong> <span className="muted">From {counted(snapshots, 'snapshot')}.</span>
      </p>
      {withoutAccessTimes.length > 0 && (
        <Warning>
          Access times aren't recorded on {withoutAccessTimes.join(', ')}. Only changes count there, so files that are
          only read look unused.
        </Warning>
      )}
      {!keepsAccessTimes && (
        <Warning>
          Only the newest access time of each file is kept, so earlier reads are missing from this trial.
        </Warning>
      )}
      {currencies.length > 0 && (
        <Segments
          label="Measure"
          options={[
            { value: 'size', label: 'Size' },
            ...currencies.map((value) => ({ value, label: `${value} per year` })),
          ]}
          chosen={measure}
          onChoose={setMeasure}
        />
      )}
      <AgeCurves ages={ages} days={days} onDays={onDays} currency={measure === 'size' ? undefined : measure} />
      {age && <AgeDetails key={age.days} age={age} tried={tried} />}
    </>
  )
}
