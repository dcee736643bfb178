/**
 * Makes recharts ignore a resting pointer until it moves, since recharts shows the hovered part instead of the one
 * selected by keyboard.
 */
export function leavePointer(chart: HTMLElement): void {
  const drawing = chart.querySelector('.recharts-wrapper')
  drawing?.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, relatedTarget: drawing.parentElement }))
}
