/**
 * Has a drawing forget the pointer that rests on it, until that moves again: the drawing tells what the pointer is at, and not
 * what the keys are at.
 */
export function leavePointer(chart: HTMLElement): void {
  const drawing = chart.querySelector('.recharts-wrapper')
  drawing?.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, relatedTarget: drawing.parentElement }))
}
