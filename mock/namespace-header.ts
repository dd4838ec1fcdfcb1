/** The header that assigns a request, to the API or to the control API, to a namespace. */
export const NAMESPACE_HEADER = 'Tallystick-Namespace';
