import type { InputProps } from '#client/parts/settings-table/form.ts'
import { type FrequencyChoice, type Timing, timingCron, timingOf, timingProblem } from './timing.ts'
import { TimingInput } from './TimingInput.tsx'

/** The times of a schedule in its form. */
export const timingField = (label: string, frequencies: FrequencyChoice[], initial: Timing) =>
  ({
    label,
    errorLabel: 'Cron',
    kind: 'own',
    Input: function TimesInput(props: InputProps<Timing>) {
      return <TimingInput {...props} frequencies={frequencies} />
    },
    initial,
    to: 'cron',
    read: ({ cron }: { cron: string }) => timingOf(cron, frequencies, initial),
    write: timingCron,
    check: timingProblem,
  }) as const
