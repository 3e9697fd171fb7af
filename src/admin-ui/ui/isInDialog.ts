/** Whether a dialog contains the element. A side panel is none. */
export function isInDialog(element: EventTarget | null): boolean {
  return element instanceof Element && element.closest('.mantine-Modal-content') !== null
}
