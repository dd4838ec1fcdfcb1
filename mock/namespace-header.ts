/** The header of a request, to the API or to the control API, that is for a namespace. */
export const NAMESPACE_HEADER = 'Tallystick-Namespace';
