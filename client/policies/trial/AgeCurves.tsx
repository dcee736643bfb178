import { useState } from 'react'
import { amountText, moneyText, withSymbol } from '#events/money.ts'
import { regretDays } from '#events/policies/simulations.ts'
import { Curve } from '#client/ui/charts/Curve.tsx'
import { ChartFigure } from '#client/ui/charts/ChartFigure.tsx'
import { categoryOf, type ChartPart } from '#client/ui/charts/chartPart.ts'
import { stepBase, tickText } from '#client/ui/charts/measure.ts'
import { TableSwitch } from '#client/ui/charts/TableSwitch.tsx'
import { counted } from '#client/ui/text/count.ts'
import { sizeWords } from '#client/ui/text/size.ts'
import { useSizeBase } from '#client/ui/values/sizeBase.state.ts'
import { regretShare, regretText, type TriedAge } from '#client/policies/policyWords.ts'

const percentOf = (share: number | undefined) => (share === undefined ? undefined : share * 100)

type AgeCurvesProps = {
  ages: readonly TriedAge[]
  days: number
  onDays: (days: number) => void
  /** Symbol of the currency to show instead of sizes. */
  currency: string | undefined
}

/** Bytes or money that each age would have freed, and the part that was used again. A point sets the age of the policy. */
export function AgeCurves({ ages, days, onDays, currency }: AgeCurvesProps) {
  const base = useSizeBase()
  const [asTable, turn] = useState(false)
  const yearly = ({ total }: TriedAge) => total.money.find((one) => one.currencySymbol === currency)?.perYear ?? 0
  const freed = (age: TriedAge) => (currency === undefined ? age.total.bytes : yearly(age))
  const freedText = (age: TriedAge) =>
    currency === undefined ? sizeWords(age.total.bytes, base) : moneyText(yearly(age), currency)
  const reading = { measure: 'size', base } as const
  const partsOf = (cellsOf: (age: TriedAge) => string[]): ChartPart[] =>
    ages.map((age) => ({
      key: String(age.days),
      label: counted(age.days, 'day'),
      short: String(age.days),
      value: freed(age),
      text: freedText(age),
      role: 'category-1',
      isPickable: true,
      cells: cellsOf(age),
    }))
  const shared = { picked: String(days), onPick: (key: string) => onDays(Number(key)) }
  const regrets = (age: TriedAge) => regretDays.map((within) => regretText(age.total, within))
  return (
    <div className="stack gap-8">
      <div className="row between">
        <h3 className="heading">{currency === undefined ? 'Freed by age' : 'Saved per year by age'}</h3>
        <TableSwitch title="ages" isTable={asTable} onTurn={turn} />
      </div>
      <ChartFigure
        summary="What each age would have freed, and the part of it that was used again. Choose an age for the policy."
        parts={partsOf((age) => [freedText(age), ...regrets(age)])}
        columns={['Untouched for', 'Freed', ...regretDays.map((within) => `Used again in ${within} days`)]}
        asTable={asTable}
        onPick={shared.onPick}
      >
        <Curve
          {...shared}
          label={currency === undefined ? 'Freed by age' : 'Saved per year by age'}
          parts={partsOf((age) => [freedText(age), counted(age.total.files, 'file')])}
          lines={[{ key: 'freed', label: 'Freed', role: 'usage-ok', values: ages.map(freed) }]}
          base={currency === undefined ? stepBase(reading) : 1_000}
          tickText={
            currency === undefined
              ? tickText(reading)
              : (value) => withSymbol(amountText(Math.round(value), 'JPY'), currency)
          }
        />
        <h3 className="heading top-12 bottom-8">Used again</h3>
        <Curve
          {...shared}
          label="Part that was used again by age"
          parts={partsOf((age) => regrets(age).map((text, at) => `In ${regretDays[at]} days: ${text}`))}
          lines={regretDays.map((within, at) => ({
            key: String(within),
            label: `Within ${within} days`,
            role: categoryOf(at),
            values: ages.map(({ total }) => percentOf(regretShare(total, within))),
          }))}
          base={1_000}
          tickText={(value) => `${value} %`}
        />
      </ChartFigure>
    </div>
  )
}
